machine-no_system = { $root } : il n'y a pas de système ici (pas de etc)
machine-asking_sudo = il faut être root ; on demande à sudo
machine-no_sudo = sudo n'est pas là ; lancez ceci en root
machine-small = ce système est en 32 bits et ne peut pas faire marcher hisabu. Installez Raspberry Pi OS (64-bit) : il marche sur un Zero 2 W et sur tout Pi depuis le 3.
machine-no_bench = il n'y a pas de partie { $part } ; choisissez entre { $parts }
machine-pi_row = Une ligne pour le tableau des vrais Pi (hardware/pis.csv) :
machine-pi_send = Le tableau a des estimations tant que personne ne mesure. Remplacez la ligne de votre Pi par celle-ci et ouvrez une pull request, ou mettez-la dans une issue.
machine-no_pi = Ce n'est pas un Raspberry Pi : cette ligne sert à comparer, pas au tableau.
