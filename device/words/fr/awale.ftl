awale-name = Awalé
