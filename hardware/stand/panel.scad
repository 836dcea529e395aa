// The lamp panel: face, a light well for each lamp, the plate that carries the strip, a back for the Pico, legs.
include <parameters.scad>
use <lib.scad>

panel_w = panel_columns * panel_pitch + 2 * panel_margin;
panel_h = panel_rows * panel_row_pitch + 2 * panel_margin;
screw = [panel_w / 2 - 6, panel_h / 2 - 6];
leg_at = 62;                               // legs left and right of the middle
pico_bar_screw = 16;                       // either side of the Pico's middle line
leg_screws = [14, 44];                     // up from the panel's lower edge

function row_y(row) = (row - (panel_rows - 1) / 2) * panel_row_pitch;
function column_x(column, columns) = (column - (columns - 1) / 2) * panel_pitch;

module heart(s) {
    translate([0, -0.08 * s]) {
        rotate(45) square(0.56 * s, center = true);
        for (x = [-1, 1]) translate([x * 0.2 * s, 0.2 * s]) circle(0.28 * s, $fn = fn);
    }
}

module suit(n, s) {
    if (n == 0) {                          // club
        translate([0, 0.2 * s]) circle(0.23 * s, $fn = fn);
        for (x = [-1, 1]) translate([x * 0.24 * s, -0.1 * s]) circle(0.23 * s, $fn = fn);
        polygon([[-0.07 * s, 0.1 * s], [0.07 * s, 0.1 * s], [0.18 * s, -0.48 * s], [-0.18 * s, -0.48 * s]]);
    }
    if (n == 1) polygon([[0, 0.5 * s], [0.36 * s, 0], [0, -0.5 * s], [-0.36 * s, 0]]);
    if (n == 2) heart(s);
    if (n == 3) {                          // spade
        translate([0, 0.06 * s]) mirror([0, 1]) heart(0.92 * s);
        polygon([[-0.06 * s, 0], [0.06 * s, 0], [0.18 * s, -0.48 * s], [-0.18 * s, -0.48 * s]]);
    }
}

// What a player sees: seats round, markers like little cards, suits in their shape.
module openings() {
    for (row = [0, 4]) for (column = [0, 2, 4])
        translate([column_x(column, 5), row_y(row)]) circle(d = 22, $fn = fn);
    for (row = [1, 3]) for (column = [0:4])
        translate([column_x(column, 5), row_y(row)]) rounded(19, 25, 2.5);
    for (n = [0:3]) translate([column_x(n, panel_suits), row_y(2)]) suit(n, 26);
}

// Walls between lamps, so that none shines into its neighbour.
module wells() {
    size = [panel_pitch - panel_wall, panel_row_pitch - panel_wall];
    for (row = [0, 4]) for (column = [0, 2, 4]) translate([column_x(column, 5), row_y(row)]) square(size, center = true);
    for (row = [1, 3]) for (column = [0:4]) translate([column_x(column, 5), row_y(row)]) square(size, center = true);
    for (n = [0:3]) translate([column_x(n, panel_suits), row_y(2)]) square(size, center = true);
    // nothing shines here: hollow only to save material
    for (row = [0, 4]) for (column = [1, 3]) translate([column_x(column, 5), row_y(row)]) square(size, center = true);
}

face_screws = [panel_w / 2 - 4, 40];

module at_face_screws() {
    for (x = [-1, 1]) for (y = [-1, 1]) translate([x * face_screws[0], y * face_screws[1]]) children();
}

// Printed face down. The mirror makes left left when seen from the front.
module panel_face_part() {
    linear_extrude(panel_face) difference() {
        rounded(panel_w, panel_h, 4);
        mirror([1, 0]) openings();
        at_face_screws() circle(d = m25, $fn = fn);
    }
}

// Open on both sides: the paper legend lies between this and the face.
module panel_wells() {
    depth = panel_front_depth - panel_face;
    difference() {
        linear_extrude(depth) difference() {
            rounded(panel_w, panel_h, 4);
            wells();
        }
        for (x = [-1, 1]) for (y = [-1, 1]) translate([x * screw[0], y * screw[1], depth - 12])
            cylinder(d = 2.7, h = 13, $fn = fn);
        at_face_screws() translate([0, 0, -0.01]) cylinder(d = 2.1, h = 8, $fn = fn);
    }
}

// The strip's rows are stuck on this; jumper wires pass at the row ends.
module panel_carrier_part() {
    linear_extrude(panel_carrier) difference() {
        rounded(panel_w, panel_h, 4);
        for (x = [-1, 1]) for (y = [-1, 1]) translate([x * screw[0], y * screw[1]]) circle(d = m3, $fn = fn);
        for (x = [-1, 1]) for (row = [0:4]) translate([x * (panel_w / 2 - 4), row_y(row)]) if (abs(row_y(row)) < 60)
            square([4, 14], center = true);
        for (x = [-1, 1]) translate([x * (panel_w / 2 - 18), -panel_h / 2 + 4]) square([12, 4], center = true);
    }
}

// A tray for the Pico and the perforated board. Printed back down, open towards the carrier. The Pico lies with its parts
// down and its port to the side: BOOTSEL is reached through a hole, and no plug stands on the table.
module panel_back() {
    difference() {
        union() {
            linear_extrude(2.4) rounded(panel_w, panel_h, 4);
            linear_extrude(panel_back_depth) difference() {
                rounded(panel_w, panel_h, 4);
                rounded(panel_w - 5, panel_h - 5, 2);
            }
            for (x = [-1, 1]) for (y = [-1, 1]) translate([x * screw[0], y * screw[1], 0])
                linear_extrude(panel_back_depth) rounded(10, 10, 2);
            // Pico: 51 x 21 board, holes 47 x 11.4: shoulders and pins that are slim beside its port, a bar holds it down
            translate([pico_x, pico_y, 0]) {
                for (x = [-1, 1]) for (y = [-1, 1]) translate([x * 23.5, y * 5.7, 0]) {
                    cylinder(d = 3.4, h = pico_post, $fn = fn);
                    cylinder(d = 1.8, h = pico_post + 0.9, $fn = fn);
                }
                for (y = [-1, 1]) translate([0, y * pico_bar_screw, 0]) cylinder(d = 7, h = pico_post + 1, $fn = fn);
            }
        }
        for (x = [-1, 1]) for (y = [-1, 1]) {
            translate([x * screw[0], y * screw[1], 0]) {
                hole_z(m3, panel_back_depth);
                translate([0, 0, -0.01]) cylinder(d = 6.2, h = 6, $fn = fn);
            }
        }
        for (y = [-1, 1]) translate([pico_x, pico_y + y * pico_bar_screw, pico_post - 6]) cylinder(d = 2.1, h = 8, $fn = fn);
        // the plug with its overmould, and the 5 V pair with its knot inside; open above so that nothing bridges
        translate([-panel_w / 2 - 1, pico_y - 7, pico_post - 6.5]) cube([4.5, 14, panel_back_depth]);
        translate([-panel_w / 2 - 1, pico_y + 16, 8]) cube([4.5, 6, panel_back_depth]);
        // BOOTSEL
        translate([pico_x - 25.5 + boot_in, pico_y + boot_off, 0]) hole_z(boot_hole, 3);
        for (x = [-1, 1]) for (y = leg_screws) translate([x * leg_at, -panel_h / 2 + y, 0]) hole_z(m3, 3);
        for (x = [-50:12.5:50]) translate([x, panel_h / 2 - 40, -1]) linear_extrude(5) rounded(3, 24, 1.4);
    }
}

// Holds the Pico down on its four posts.
module pico_bar() {
    difference() {
        translate([-5, -pico_bar_screw - 4, 0]) cube([10, 2 * pico_bar_screw + 8, 3]);
        for (y = [-1, 1]) translate([0, y * pico_bar_screw, 0]) hole_z(m25, 3);
    }
}

// Flat; two M3 screws from inside the panel, nuts in the slots. The panel's rear lower edge rests where the slope begins.
module panel_leg() {
    width = 12;
    edge = 78;
    toe = [-48, 8];
    difference() {
        linear_extrude(width) polygon([[toe[0], 0], [toe[0], toe[1]], [0, toe[1]],
            [edge * sin(panel_lean), toe[1] + edge * cos(panel_lean)],
            [edge * sin(panel_lean) + 8, toe[1] + edge * cos(panel_lean)], [92, 8], [92, 0]]);
        translate([0, toe[1], 0]) rotate([0, 0, -panel_lean]) for (y = leg_screws) translate([0, y, width / 2]) {
            translate([9, 0, 0]) hole_x(m3, 20);
            translate([7, -m3_nut / 2, -m3_nut / 2 / cos(30)]) cube([2.6, m3_nut, width]);
        }
    }
}

module leg_pad() {
    linear_extrude(pad) rounded(14, 10, 2);
}
