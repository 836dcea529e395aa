// Things that are bought or sawn, drawn so that the pictures show where they go. None is printed.
include <parameters.scad>
use <lib.scad>

module shown_table() {
    translate([0, -330, -table_thickness]) cube([700, 660, table_thickness]);
}

// The paper legend of the lamp panel.
module shown_legend() {
    linear_extrude(paper) rounded(panel_columns * panel_pitch + 2 * panel_margin,
        panel_rows * panel_row_pitch + 2 * panel_margin, 4);
}

// M8 with its head down.
module shown_bolt() {
    linear_extrude(5.3) hex(13);
    cylinder(d = 8, h = 5.3 + clamp_bolt, $fn = fn);
}

// A bolt with its nut: head below z = 0, shaft upwards, nut where what it holds ends.
module shown_bolt_nut(d, length, grip) {
    translate([0, 0, -d]) cylinder(d = 1.7 * d, h = d, $fn = fn);
    translate([0, 0, -0.1]) cylinder(d = d, h = length + 0.1, $fn = fn);
    translate([0, 0, grip]) linear_extrude(0.95 * d) hex(d == 5 ? 8 : 7);
}

// Camera Module 3, lens down. Origin: where its spacers meet the cradle.
module shown_camera() {
    for (x = [-1, 1]) for (y = [-1, 1]) translate([x * camera_hole_y / 2, y * camera_hole_x / 2, -spacer])
        cylinder(d = 4, h = spacer, $fn = fn);
    translate([0, 0, -spacer - 1.1]) linear_extrude(1.2) square([24, 25], center = true);
    translate([-5, -5, -spacer - 7]) cube([10, 10, 6.5]);
    translate([0, 0, -spacer - 10]) cylinder(d = 7, h = 5, $fn = fn);
}

// Raspberry Pi 4: board, USB and network, pins below. Origin: middle of its four holes, underside.
module shown_pi() {
    difference() {
        union() {
            translate([-32.5, -28, 0]) cube([85, 56, 1.6]);
            translate([35, -26, 1.5]) cube([20, 52, 16]);
            translate([-24, -29, 1.5]) cube([46, 8, 4]);
            translate([-25.4, 22, -2.5]) cube([50.8, 5, 11]);
        }
        for (x = [-1, 1]) for (y = [-1, 1]) translate([x * pi_hole_x / 2, y * pi_hole_y / 2, -1]) cylinder(d = 2.7, h = 4, $fn = fn);
    }
}

module shown_display() {
    linear_extrude(3) square([58, 36], center = true);
}

module shown_button() {
    cylinder(d = 12, h = 14, $fn = fn);
    translate([0, 0, -3]) cylinder(d = 15, h = 3, $fn = fn);
    translate([0, 0, -7]) cylinder(d = 8, h = 5, $fn = fn);
}

// A batten along X.
module shown_wood(length) {
    cube([length, wood_thick, wood_wide]);
}

// A brace with both ends cut at 45 degrees, its long side below.
module shown_brace() {
    rotate([90, 0, 0]) linear_extrude(wood_thick) polygon([[0, 0], [wood_brace, 0],
        [wood_brace - wood_wide, wood_wide], [wood_wide, wood_wide]]);
}

module shown_angle() {
    cube([wood_angle, 20, 3]);
    cube([3, 20, wood_angle]);
}

module shown_g_clamp() {
    rotate([90, 0, 0]) linear_extrude(16, center = true) difference() {
        polygon([[-50, -70], [40, -70], [40, -56], [-36, -56], [-36, 44], [40, 44], [40, 58], [-50, 58]]);
        translate([26, -63]) square([10.4, 20], center = true);
    }
    translate([26, 0, -95]) cylinder(d = 10, h = 93, $fn = fn);
    translate([26, 0, -6]) cylinder(d = 22, h = 4, $fn = fn);
    translate([2, -3, -92]) cube([48, 6, 6]);
}
