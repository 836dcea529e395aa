# A slip on the command line.
slip-required = missing: { $names }
slip-unrecognized = unknown: { $names }
slip-one_argument = give a value
slip-at_most_one = give one value at most
slip-at_least_one = give at least one value
slip-some_arguments = give { $count } values
slip-ambiguous = { $option } could mean { $matches }
slip-no_value = takes no value; remove { $value }
slip-not_whole = { $value } is not a whole number
slip-invalid_choice = { $value } is not possible; choose from { $choices }
slip-only_with = not together with { $option }
slip-argument = { $option }: { $error }
