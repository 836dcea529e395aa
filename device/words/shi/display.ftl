# M: uteza
display-to_play = Uteza
# T: uanua
display-took = Uanua
# T: ushindra
display-won = Ushindra
# M: uwula
display-captured = uwula { $number }
