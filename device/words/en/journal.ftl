journal-torn = { $file }: the power went while the last line was written. Nobody had seen it. The match goes on after event { $event }.
journal-damaged = { $file } is damaged ({ $what }). The match goes on after event { $event }. The old file is kept as { $aside }; lines lost: { $lines }.
journal-unreadable = { $file } cannot be read ({ $what }). It stays as it is, and a new match begins. Is hisabu up to date?
journal-header = The first line of { $file } was lost; its copy was used. The match goes on. The old file is kept as { $aside }.
