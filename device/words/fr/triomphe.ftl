triomphe-name = Triomphe
triomphe-deal_scored = { $vole ->
    [true] Vole ! Tous les plis au même camp. Points { $games }, partie { $match }.
   *[other] Donne finie : plis { $tricks }, points { $games }. Partie { $match }.
}
triomphe-rules = Le plus de plis gagne la donne. Le premier à cinq points gagne la partie.
    .cards = 32 cartes : roi, dame, valet, as, 10, 9, 8, 7. Aucune carte n'a de points.
    .deal = Cinq cartes chacun. La carte suivante est retournée : sa couleur est atout. Le talon ne se joue pas. On joue dans le sens inverse des aiguilles d'une montre.
    .play = Fournissez la couleur, et montez sur la carte maîtresse si vous pouvez. Si vous n'avez pas la couleur, coupez, et surcoupez si vous pouvez ; un atout plus bas se joue aussi. Sans couleur ni atout, jouez ce que vous voulez.
    .score = Trois ou quatre plis font un point, les cinq (la vole) deux.
    .usual = Un camp peut proposer d'abandonner la donne : accepté, cela coûte un point ; refusé, l'autre camp doit faire tous les plis.
