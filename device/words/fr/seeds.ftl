seeds-no_round = --corners : donnez les quatre coins dans le sens des aiguilles, à partir de la rangée 1, colonne 1
seeds-say_grid = --corners : donnez aussi --grid, comme 4x8
seeds-no_board = Pas de tablier trouvé. Est-il tout entier dans l'image, et bien éclairé ?
seeds-found = { $path } : { $grid } cases, graines : { $total }
seeds-outside = , et { $outside } hors des cases
seeds-not_sure = Ce n'est peut-être pas le tablier. Mettez la caméra au-dessus, ou donnez --corners.
seeds-hidden = Je ne peux pas compter ces cases (–) : { $hidden }. Y a-t-il une main ou un reflet dessus ?
seeds-doubts = Je ne suis pas sûr de ces nombres (?) : { $doubts }.
