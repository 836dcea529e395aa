// The case for Pi, display, buttons and buzzer, and the saddle that holds it on the mast.
include <parameters.scad>
use <lib.scad>
use <clamp.scad>

boss = 8;
inner_depth = case_depth - case_wall;
screw_x = case_length / 2 - case_wall - boss / 2;
screw_y = case_height / 2 - case_wall - boss / 2;
pi_at = [pi_x, pi_y];
saddle_bolt = 24;

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
        for (y = [-1, 1]) translate([0, y * saddle_bolt / 2 - saddle_drop, 0]) hole_z(m4, case_wall);
        // USB and network, open to the lid's edge so that nothing bridges
        translate([case_length / 2 - case_wall - 1, pi_at[1] - 28, case_wall + 4])
            cube([case_wall + 2, 56, case_depth]);
        // power and HDMI
        translate([pi_at[0] - 36, -case_height / 2 - 1, case_wall + 4]) cube([56, case_wall + 2, case_depth]);
        // camera ribbon and panel cable
        translate([-45, case_height / 2 - case_wall - 1, case_wall + 4])
            cube([ribbon_width + 8, case_wall + 2, case_depth]);
        // air
        for (x = [-60:10:60]) if (abs(x) > 8) translate([x, 0, -1]) linear_extrude(case_wall + 2)
            for (y = [-10, 10]) translate([0, y]) rounded(3, 14, 1.4);
    }
}

// Printed face down. Seen from the front: buttons A B C in a column on the left, the window right, sound below.
module case_lid() {
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
            linear_extrude(0.01) square([window_x + 2 * lid, window_y + 2 * lid], center = true);
            translate([0, 0, lid + 0.02]) linear_extrude(0.01) square([window_x, window_y], center = true);
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
        translate([7.5, 0]) rounded(25, 54, 3);
        for (y = [-1, 1]) translate([0, y * 22]) circle(d = m25, $fn = fn);
    }
}

// Hugs the mast; caps close it, two M4 bolts hold the case. Printed channel up. Origin: middle of its floor.
module saddle() {
    width = tube + fit + 2 * 15;
    height = saddle_floor + channel_depth;
    difference() {
        translate([-width / 2, -saddle_length / 2, 0]) cube([width, saddle_length, height]);
        translate([-(tube + fit) / 2, -saddle_length / 2 - 1, saddle_floor])
            cube([tube + fit, saddle_length + 2, channel_depth + 1]);
        for (y = [-1, 1]) {
            translate([0, y * saddle_bolt / 2, 0]) hole_z(m4, saddle_floor);
            translate([0, y * saddle_bolt / 2, saddle_floor - 4.5]) cylinder(d = 8.5, h = 5, $fn = fn);
            for (x = [-1, 1]) translate([x * (tube + fit + 15) / 2, y * 13, 0]) {
                hole_z(m5, height);
                translate([0, 0, -0.01]) linear_extrude(5) hex(m5_nut);
            }
        }
    }
}
