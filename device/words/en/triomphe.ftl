triomphe-name = Triomphe
triomphe-deal_scored = { $vole ->
    [true] Vole! Every trick to one side. Points { $games }, match { $match }.
   *[other] Hand over: tricks { $tricks }, points { $games }. Match { $match }.
}
