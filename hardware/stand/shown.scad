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

// M8 with its head down, and the self-locking nut that the pressure foot holds on its end.
module shown_bolt() {
    linear_extrude(5.3) hex(13);
    cylinder(d = 8, h = 5.3 + clamp_bolt, $fn = fn);
    translate([0, 0, 5.3 + clamp_bolt - lock_nut]) linear_extrude(lock_nut) hex(13);
}

// A bought tube with its drilled holes, along X, lying on z = 0.
module shown_tube(length) {
    difference() {
        translate([0, 0, tube / 2]) rotate([90, 0, 90]) linear_extrude(length) difference() {
            chamfered(tube, tube_chamfer);
            square(bore, center = true);
        }
        for (x = [hole_first, hole_second, hole_third, length - hole_fourth, length - hole_third, length - hole_second,
                  length - hole_first])
            translate([x, 0, tube / 2]) rotate([-90, 0, 0]) translate([0, 0, -tube]) cylinder(d = m5, h = 2 * tube, $fn = fn);
    }
}

// A screw that cuts its own thread, head below z = 0. The hole it cuts is left to it: it is drawn a hair thin.
module shown_screw(d, length) {
    translate([0, 0, -0.6 * d]) cylinder(d = 1.9 * d, h = 0.6 * d, $fn = fn);
    translate([0, 0, -0.1]) cylinder(d = 0.8 * d, h = length + 0.1, $fn = fn);
}

// A plug from the face of its socket (z = 0) outwards: the overmould, then the cable up to where it may bend.
module shown_cable_plug(body, cable, rest) {
    translate([-body[0] / 2, -body[1] / 2, 0]) cube(body);
    translate([0, 0, body[2] - 0.1]) cylinder(d = cable, h = rest, $fn = fn);
}

// A bolt with its nut: head below z = 0, shaft upwards, nut where what it holds ends.
module shown_bolt_nut(d, length, grip) {
    translate([0, 0, -d]) cylinder(d = 1.7 * d, h = d, $fn = fn);
    translate([0, 0, -0.1]) cylinder(d = d, h = length + 0.1, $fn = fn);
    translate([0, 0, grip]) linear_extrude(0.95 * d) hex(d == 5 ? 8 : d == 4 ? 7 : 4);
}

// Camera Module 3, lens down. Origin: where its spacers meet the cradle.
module shown_camera() {
    difference() {
        union() {
            for (x = [-1, 1]) for (y = [-1, 1]) translate([x * camera_hole_y / 2, y * camera_hole_x / 2, -spacer])
                cylinder(d = 4, h = spacer, $fn = fn);
            translate([0, 0, -spacer - 1.1]) linear_extrude(1.2) square([24, 25], center = true);
        }
        for (x = [-1, 1]) for (y = [-1, 1]) translate([x * camera_hole_y / 2, y * camera_hole_x / 2, -2 * spacer])
            cylinder(d = 2.2, h = 3 * spacer, $fn = fn);
    }
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
            translate([-25.4, 22, -2.5]) cube([50.8, 5, 6.5]);
        }
        for (x = [-1, 1]) for (y = [-1, 1]) translate([x * pi_hole_x / 2, y * pi_hole_y / 2, -1]) cylinder(d = 2.7, h = 4, $fn = fn);
    }
}

// The sockets of jumper wires on the Pi's header. Same origin as the Pi.
module shown_header_plugs() {
    translate([-25.4, 22, 4.1]) cube([50.8, 5.1, 14]);
}

// Raspberry Pi Pico without pins, its parts below, its port to -x. Origin: its middle, on the side of the parts.
module shown_pico() {
    difference() {
        translate([-25.5, -10.5, 0]) cube([51, 21, 1]);
        for (x = [-1, 1]) for (y = [-1, 1]) translate([x * 23.5, y * 5.7, -1]) cylinder(d = 2.1, h = 3, $fn = fn);
    }
    translate([-26.8, -3.75, -2.7]) cube([5.6, 7.5, 2.8]);
    translate([-25.5 + boot_in - 2, boot_off - 1.7, -2]) cube([4, 3.4, 2.1]);
}

// The perforated board with its capacitor lying down and the level shifter in its socket.
module shown_k3() {
    translate([-20, -30, 0]) cube([40, 60, 1.6]);
    translate([-8, 4, 1.5]) cube([8, 19.5, 8.5]);
    translate([13, -24, 6.4]) rotate([-90, 0, 0]) cylinder(d = 10, h = 20, $fn = fn);
    translate([10, -22, 1.5]) cube([6, 14, 3]);
}

// Raspberry Pi Zero 2 W with its header: camera socket to +x, supply below. Origin: middle of its holes, underside.
module shown_pi_zero() {
    difference() {
        union() {
            translate([-32.5, -15, 0]) cube([65, 30, 1.4]);
            translate([-25.4, 8.5, -2]) cube([50.8, 5, 11.6]);
            translate([28.5, -8.5, 1.3]) cube([4.5, 17, 1.8]);
            for (x = [8.9, 21.5]) translate([x - 3.75, -16, 1.3]) cube([7.5, 5.6, 2.8]);
        }
        for (x = [-1, 1]) for (y = [-1, 1]) translate([x * 29, y * 11.5, -3]) cylinder(d = 2.7, h = 6, $fn = fn);
    }
}

module shown_breadboard() {
    translate([-82.5, -27.5, 0]) cube([165, 55, 9]);
}

module shown_display(board_x, board_y) {
    linear_extrude(3) square([board_x, board_y], center = true);
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

// The head block, drilled for the camera's bolts beyond the arm's end.
module shown_head() {
    difference() {
        shown_wood(wood_head);
        for (x = [-1, 1]) for (z = [-1, 1])
            translate([wood_head - wood_head_out / 2 + x * camera_hole_y / 2, -1, wood_wide / 2 + z * camera_hole_x / 2])
                rotate([-90, 0, 0]) cylinder(d = m2, h = wood_thick + 2, $fn = fn);
    }
}

// A brace with both ends cut at 45 degrees, its long side below.
module shown_brace() {
    rotate([90, 0, 0]) linear_extrude(wood_thick) polygon([[0, 0], [wood_brace, 0],
        [wood_brace - wood_wide, wood_wide], [wood_wide, wood_wide]]);
}

// A hole is drawn wherever a screw may go: 12 and 60 mm from the corner.
module shown_angle() {
    difference() {
        union() {
            cube([wood_angle, wood_angle_width, wood_angle_steel]);
            cube([wood_angle_steel, wood_angle_width, wood_angle]);
        }
        for (at = [25, 60]) {
            translate([at, wood_angle_width / 2, -1]) cylinder(d = 4.5, h = 2 + wood_angle_steel, $fn = fn);
            translate([-1, wood_angle_width / 2, at]) rotate([0, 90, 0]) cylinder(d = 4.5, h = 2 + wood_angle_steel, $fn = fn);
        }
    }
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

// Build 0. A laptop, open. Origin: middle of its front edge on the table; it looks to -y.
module shown_laptop() {
    translate([-160, 0, 0]) cube([320, 220, 16]);
    translate([-160, 212, 14]) rotate([-15, 0, 0]) cube([320, 8, 210]);
}

// A webcam, lens down, the clip's thread on top. Origin: its middle, where the arm holds it.
module shown_webcam() {
    translate([-47, -14, -26]) cube([94, 28, 22]);
    translate([0, 0, -30]) cylinder(d = 20, h = 6, $fn = fn);
    translate([0, 0, -5]) cylinder(d = 10, h = 6, $fn = fn);
}

// The clamp of a boom arm at the table's edge (x = 0), and its two straight pieces.
module shown_boom_clamp() {
    translate([-20, -22, -table_thickness - 40]) cube([20, 44, table_thickness + 52]);
    translate([-20, -22, 0]) cube([56, 44, 12]);
    translate([-20, -22, -table_thickness - 40]) cube([56, 44, 12]);
    translate([22, 0, -table_thickness - 78]) cylinder(d = 9, h = 78, $fn = fn);
    translate([22, 0, -table_thickness - 6]) cylinder(d = 26, h = 6, $fn = fn);
    translate([22, 0, -table_thickness - 90]) cylinder(d = 36, h = 14, $fn = fn);
    translate([-2, 0, 0]) cylinder(d = 20, h = 36, $fn = fn);
}

module shown_boom(length) {
    for (y = [-1, 1]) translate([0, y * 9, 0]) rotate([0, 90, 0]) cylinder(d = 8, h = length, $fn = fn);
    for (x = [0, length]) translate([x, 0, 0]) rotate([90, 0, 0]) cylinder(d = 24, h = 34, center = true, $fn = fn);
}

// A microSD card, its contacts to -x.
module shown_sd() {
    translate([-7.5, -5.5, 0]) cube([15, 11, 1]);
}

// The extension lead, its sockets down.
module shown_lead() {
    translate([-30, -160, -45]) cube([60, 320, 45]);
}

// A card on the table.
module shown_playing_card() {
    linear_extrude(0.6) rounded(63.5, 88.9, 4);
}

// A cut row of the strip.
module shown_strip_row(lamps) {
    translate([-lamps * panel_pitch / 2, -5, 0]) cube([lamps * panel_pitch, 10, 0.6]);
    for (n = [0 : lamps - 1]) translate([(n - (lamps - 1) / 2) * panel_pitch - 2.5, -2.5, 0.5]) cube([5, 5, 1.6]);
}
