sueca-name = Sueca
sueca-deal_scored = { $how ->
    [every] Toutes les levées au même camp : quatre jeux. Jeux { $games }, partie { $match }.
    [double] Plus de 90, cela compte double : { $points }. Jeux { $games }, partie { $match }.
    [even] 60 partout. Personne ne marque. Partie { $match }.
   *[other] Donne finie : { $points }. Jeux { $games }, partie { $match }.
}
