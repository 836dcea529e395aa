// The case for Pi, display, buttons and buzzer, and the saddle that holds it upright on the arm. Everything leaves it
// downwards or to the side: nothing opens upwards.
include <parameters.scad>
use <lib.scad>
use <clamp.scad>

boss = 8;
inner_depth = case_depth - case_wall;
screw_x = case_length / 2 - case_wall - boss / 2;
screw_y = case_height / 2 - case_wall - boss / 2;
pi_at = [pi_x, pi_y];

// Printed back down, open up. Origin: middle of the back.
module case_base() {
    difference() {
        union() {
            linear_extrude(case_wall) rounded(case_length, case_height, 4);
            linear_extrude(case_depth) difference() {
                rounded(case_length, case_height, 4);
                rounded(case_length - 2 * case_wall, case_height - 2 * case_wall, 2);
            }
            for (x = [-1, 1]) for (y = [-1, 1]) translate([x * screw_x, y * screw_y, 0])
                linear_extrude(case_depth) translate([-boss / 2 - (x > 0 ? 0 : 1), -boss / 2 - (y > 0 ? 0 : 1)])
                    square(boss + 1);
            for (x = [-1, 1]) for (y = [-1, 1]) translate([pi_at[0] + x * pi_hole_x / 2, pi_at[1] + y * pi_hole_y / 2, 0])
                cylinder(d = pi_post, h = case_wall + pi_post_height, $fn = fn);
        }
        for (x = [-1, 1]) for (y = [-1, 1]) {
            translate([x * screw_x, y * screw_y, case_depth - 14]) cylinder(d = 2.7, h = 15, $fn = fn);
            translate([pi_at[0] + x * pi_hole_x / 2, pi_at[1] + y * pi_hole_y / 2, case_wall])
                cylinder(d = 2.1, h = pi_post_height + 1, $fn = fn);
        }
        // bolts of the saddle
        for (y = [-1, 1]) translate([0, y * saddle_bolt / 2, 0]) hole_z(m4, case_wall);
        // USB and network, open to the lid's edge so that nothing bridges
        translate([case_length / 2 - case_wall - 1, pi_at[1] - 28, case_wall + 4])
            cube([case_wall + 2, 56, case_depth]);
        // supply, HDMI, the camera's ribbon, the pair to the panel
        translate([pi_at[0] - 30, -case_height / 2 - 1, case_wall + 4]) cube([56, case_wall + 2, case_depth]);
        // air
        for (x = [-60:10:60]) if (abs(x) > 8) translate([x, 0, -1]) linear_extrude(case_wall + 2)
            for (y = [-10, 10]) translate([0, y]) rounded(3, 14, 1.4);
    }
}

// Printed face down. Seen from the front: buttons A B C in a column on the left, the window right, sound below.
module case_lid(seen_x, seen_y) {
    window_at = [-16, 4];
    button_x = case_length / 2 - 24;
    difference() {
        union() {
            linear_extrude(lid) rounded(case_length, case_height, 4);
            // a rim that finds the base
            linear_extrude(lid + 2) difference() {
                rounded(case_length - 2 * case_wall - 2 * fit, case_height - 2 * case_wall - 2 * fit, 2);
                rounded(case_length - 2 * case_wall - 4, case_height - 2 * case_wall - 4, 2);
                for (x = [-1, 1]) for (y = [-1, 1]) translate([x * screw_x, y * screw_y]) square(boss + 6, center = true);
            }
            // posts for the display's bars
            for (x = [-1, 1]) for (y = [-1, 1]) translate(window_at) translate([x * 34, y * 22, 0])
                cylinder(d = 7, h = lid + 5, $fn = fn);
        }
        translate([window_at[0], window_at[1], -0.01]) hull() {
            linear_extrude(0.01) square([seen_x + 2 * lid, seen_y + 2 * lid], center = true);
            translate([0, 0, lid + 0.02]) linear_extrude(0.01) square([seen_x, seen_y], center = true);
        }
        for (x = [-1, 1]) for (y = [-1, 1]) {
            translate([x * screw_x, y * screw_y, 0]) hole_z(m3, lid);
            translate(window_at) translate([x * 34, y * 22, lid - 1]) cylinder(d = 2.1, h = 9, $fn = fn);
        }
        for (n = [-1, 0, 1]) translate([button_x, 6 - n * button_pitch, 0]) hole_z(button_hole, lid);
        for (a = [0:60:300]) translate([-16, -36, 0]) rotate(a) translate([5, 0, 0]) hole_z(2.2, lid);
    }
}

// Two of these press the display against the lid. Origin: between its holes; it reaches inwards to +x.
module display_bar() {
    linear_extrude(3) difference() {
        translate([(34 - display_bar_in - 5) / 2, 0]) rounded(34 - display_bar_in + 5, 54, 3);
        for (y = [-1, 1]) translate([0, y * 22]) circle(d = m25, $fn = fn);
    }
}

// Straddles the arm with two bolts across; its plate carries the case clear above the arm. Printed plate down.
// Origin: where the arm's axis meets the plate's front; y is up, the arm's root lies towards +z.
module saddle() {
    inner = tube + fit;
    outer = inner + 2 * saddle_cheek;
    length = saddle_reach + hole_fourth - hole_third + 13;
    bridge = inner / 2 + saddle_cheek;
    case_y = tube / 2 + case_gap + case_height / 2;
    difference() {
        union() {
            linear_extrude(saddle_plate) {
                translate([-outer / 2, -tube / 2]) square([outer, tube / 2 + bridge]);
                translate([-saddle_width / 2, 0]) square([saddle_width, case_y + saddle_bolt / 2 + 10]);
            }
            linear_extrude(length) translate([-outer / 2, -tube / 2]) square([outer, tube / 2 + bridge]);
            for (x = [-1, 1]) translate([x * (saddle_width / 2 - 3) + 3, bridge, saddle_plate]) rotate([0, -90, 0])
                linear_extrude(6) polygon([[0, -1], [length - saddle_plate - 4, -1], [length - saddle_plate - 4, 0], [0, 80]]);
        }
        translate([-inner / 2, -tube, -1]) cube([inner, tube + inner / 2, length + 2]);
        for (z = [saddle_reach, saddle_reach + hole_fourth - hole_third]) translate([0, 0, z]) hole_x(m5, outer + 2);
        for (y = [-1, 1]) translate([0, case_y + y * saddle_bolt / 2, 0]) hole_z(m4, saddle_plate);
    }
}
