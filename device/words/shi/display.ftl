# M: uteza
display-to_play = Uteza
# T: uanua
display-took = Uanua
# T: ushindra
display-won = Ushindra
# T: sawa
display-drawn = Sawa
# M: uwula
display-captured = uwula { $number }
