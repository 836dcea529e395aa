pille-name = L'As qui pille
pille-deal_scored = { $vole ->
    [true] Vole ! Tous les plis au même camp. Points { $games }, partie { $match }.
   *[other] Donne finie : plis { $tricks }, points { $games }. Partie { $match }.
}
pille-rules = Chacun joue pour soi. Le plus de plis gagne la donne, cinq points la partie.
    .cards = 32 cartes : l'as est le plus fort, puis roi, dame, valet, 10, 9, 8, 7.
    .deal = Cinq cartes chacun. La carte suivante est retournée : sa couleur est atout. On joue dans le sens inverse des aiguilles d'une montre.
    .play = Avant la première carte : si un as est retourné, le donneur peut le prendre et le payer d'une carte de sa main, et continuer tant que la carte suivante est de l'atout. Sinon, celui qui tient l'as d'atout peut le faire. Puis comme à la triomphe : fournir, monter, couper.
    .score = Le plus de plis fait un point, les cinq (la vole) deux. À égalité, le point va à qui les a faits d'abord.
    .usual = Chaque carte prise se paie d'une carte : chacun en garde cinq.
