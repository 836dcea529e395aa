"""Many tables: what one machine keeps and shows of all of them, `hisabu hall`."""
