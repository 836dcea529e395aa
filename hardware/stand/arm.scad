// Mast and arm: plugs and a drilling jig for bought tubes, printed tubes with their splices, the plates of the corner,
// and the clips that hold the cables.
include <parameters.scad>
use <lib.scad>

// Printed lying down, so that the layers run along it: across the layers it would snap.
module tube_part(length) {
    difference() {
        translate([0, 0, tube / 2]) rotate([90, 0, 90]) linear_extrude(length) difference() {
            chamfered(tube, tube_chamfer);
            chamfered(bore, bore_chamfer);
        }
        for (x = tube_holes(length)) translate([x, 0, tube / 2]) hole_y(m5, tube + 2);
    }
}

// Sits half in one tube, half in the next; bolts go through both.
module splice() {
    size = bore - 2 * fit;
    difference() {
        translate([0, 0, size / 2]) rotate([90, 0, 90]) linear_extrude(splice_length)
            chamfered(size, bore_chamfer);
        for (x = [hole_first, hole_second])
            for (at = [splice_length / 2 - x, splice_length / 2 + x])
                translate([at, 0, size / 2]) hole_y(m5, size + 2);
    }
}

// Fills the end of a bought tube where bolts go through it or caps press on it.
module plug() {
    size = bore - 2 * fit;
    difference() {
        translate([0, 0, size / 2]) rotate([90, 0, 90]) linear_extrude(plug_length) chamfered(size, bore_chamfer);
        for (x = [hole_first, hole_second, hole_third, hole_fourth]) translate([x, 0, size / 2]) hole_y(m5, size + 2);
    }
}

// A sleeve over a tube's end, pushed on to its stop: drill through its holes. Printed stop down.
module drill_jig() {
    outer = tube + 2 * fit + 2 * jig_wall;
    length = hole_fourth + 12;
    difference() {
        linear_extrude(jig_wall + length) chamfered(outer, 2);
        translate([0, 0, jig_wall]) linear_extrude(length + 1) square(tube + 2 * fit, center = true);
        for (z = [hole_first, hole_second, hole_third, hole_fourth])
            translate([0, 0, jig_wall + z]) hole_y(m5, outer + 2);
    }
}

// Two of these hold the arm on the mast. Origin: where the mast's axis meets the underside of the arm.
module gusset_part() {
    top = tube / 2;
    reach = hole_third - hole_first;
    linear_extrude(gusset) difference() {
        hull() {
            translate([-top + 4, tube - 4]) circle(4, $fn = fn);
            translate([reach + 6, tube - 4]) circle(4, $fn = fn);
            translate([reach + 6, 4]) circle(4, $fn = fn);
            translate([top - 4, -hole_third - 8]) circle(4, $fn = fn);
            translate([-top + 4, -hole_third - 8]) circle(4, $fn = fn);
        }
        for (x = [hole_first, hole_second, hole_third]) translate([x - tube / 2, top]) circle(d = m5, $fn = fn);
        for (z = [hole_first, hole_second, hole_third]) translate([0, -z]) circle(d = m5, $fn = fn);
        hull() {
            translate([top + 5, -7]) circle(3, $fn = fn);
            translate([reach - 18, -7]) circle(3, $fn = fn);
            translate([top + 5, -hole_third + 32]) circle(3, $fn = fn);
        }
    }
}

// Snaps over the tube and holds the camera ribbon or the cable flat against it.
module clip() {
    inner = tube + 0.4;
    wall = 2.4;
    linear_extrude(12) difference() {
        union() {
            chamfered(inner + 2 * wall, 3);
            translate([0, inner / 2 + wall]) square([ribbon_width + 6, 6], center = true);
        }
        chamfered(inner, tube_chamfer);
        translate([0, inner / 2]) square([ribbon_width + 0.8, 2 * ribbon_gap], center = true);
        // open below, with lips of 2 mm that snap
        translate([0, -inner / 2]) square([inner - 4, 12], center = true);
    }
}
