machine-no_system = { $root }: there is no system here (no etc)
machine-asking_sudo = this needs root; asking sudo
machine-no_sudo = sudo is missing; run this as root
machine-small = this is a 32-bit system, which cannot run hisabu. Install Raspberry Pi OS (64-bit): it runs on a Zero 2 W and on every Pi from the 3 on.
machine-no_bench = there is no part { $part }; choose from { $parts }
machine-pi_row = A row for the table of real Pis (hardware/pis.csv):
machine-pi_send = The table has estimates until somebody measures. Replace your Pi's row with this one and open a pull request, or post it in an issue.
machine-no_pi = This is not a Raspberry Pi: use the row to compare, not for the table.
