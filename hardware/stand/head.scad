// The camera head: two ears on the arm's end, a cradle between them that tilts and locks, a slot for the ribbon.
include <parameters.scad>
use <lib.scad>

pivot = [pivot_out, -pivot_drop];   // from the arm's last cross hole
lock_radius = 16;
cradle_width = tube - 0.4;

// Flat; bolted through the last two cross holes of the arm. Origin: the hole nearest the arm's end.
module ear_part() {
    linear_extrude(ear) difference() {
        union() {
            hull() {
                translate([hole_first - hole_second, 0]) circle(11, $fn = fn);
                circle(11, $fn = fn);
                translate([pivot[0] - 20, -6]) circle(8, $fn = fn);
            }
            hull() {
                circle(11, $fn = fn);
                translate(pivot) circle(9, $fn = fn);
                for (x = [-1, 1]) translate(pivot) translate([x * 8, lock_radius - 1]) circle(9, $fn = fn);
            }
        }
        for (x = [hole_first - hole_second, 0]) translate([x, 0]) circle(d = m5, $fn = fn);
        translate(pivot) {
            circle(d = m4, $fn = fn);
            for (a = [-tilt_max:2.5:tilt_max - 2.5]) hull() for (b = [a, a + 2.5])
                rotate(b) translate([0, lock_radius]) circle(d = m4, $fn = fn);
        }
    }
}

// Printed base down. Underside carries the camera; walls hold pivot and lock bolt. Origin: middle of the underside.
module cradle_walls() {
    wall = cradle_wall;
    top = pivot_height + lock_radius + 6;
    for (side = [-1, 1]) translate([0, side * (cradle_width - wall) / 2, 0])
        rotate([90, 0, 0]) linear_extrude(wall, center = true) difference() {
            polygon([[-18, 0], [18, 0], [9, pivot_height], [9, top - 4], [5, top], [-5, top], [-9, top - 4],
                     [-9, pivot_height]]);
            translate([0, pivot_height]) mirror([0, 1]) drop(m4);
            translate([0, pivot_height + lock_radius]) mirror([0, 1]) drop(m4);
        }
}

module cradle_with(board, holes_x, holes_y, hole, deep) {
    length = max(cradle_length, board + 12);
    difference() {
        union() {
            linear_extrude(cradle_base) rounded(length, max(cradle_width, board + 4), 3);
            cradle_walls();
        }
        for (x = [-1, 1]) for (y = [-1, 1]) translate([x * holes_x / 2, y * holes_y / 2, 0]) hole_z(hole, deep);
        // the ribbon comes up here
        translate([-length / 2 + 3, -ribbon_width / 2, -1]) cube([ribbon_gap, ribbon_width, cradle_base + 2]);
    }
}

// Camera Module 2, 3 and 3 Wide: the board hangs under the base on spacers, lens down. Its holes lie under the walls, so
// the screws come from below and cut their thread in base and wall.
module cradle() {
    cradle_with(25, camera_hole_y, camera_hole_x, m2_pilot, cradle_base + 8);
}

// HQ and Global Shutter: the board hangs under the base, lens down; its holes lie outside the walls.
module cradle_hq() {
    cradle_with(38, hq_hole, hq_hole, m25, cradle_base);
}
