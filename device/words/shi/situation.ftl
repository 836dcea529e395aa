# T: uanisa
situation-waiting_for_deal = Uanisa · (fr) Distribuez les cartes.
# T: karata
situation-scattered = Karata · (fr) Pause : éparpillées. A : continuer.
# M: bao
situation-board_lost = Bao · (fr) Je ne le vois pas en entier.
# M: utria, tso
situation-sowing = Utria tso
