triomphe-name = Triomphe
triomphe-deal_scored = { $vole ->
    [true] Vole ! Toutes les levées au même camp. Points { $games }, partie { $match }.
   *[other] Main finie : levées { $tricks }, points { $games }. Partie { $match }.
}
