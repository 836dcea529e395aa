sueca-name = Sueca
sueca-deal_scored = { $how ->
    [every] Every trick to one side, worth four. Games { $games }, match { $match }.
    [double] More than 90 counts double: { $points }. Games { $games }, match { $match }.
    [even] 60 each. Nobody scores. Match { $match }.
   *[other] Deal over: { $points }. Games { $games }, match { $match }.
}
