// The table clamp: body, caps that pinch the mast, knob, pressure foot, and the soft pads.
include <parameters.scad>
use <lib.scad>

channel = tube + fit;
block = spine + channel + flank;
clamp_top = jaw_top;
clamp_low = -throat - jaw_bottom;
clamp_height = clamp_top - clamp_low;
cap_bolts = channel + flank;            // between the two bolts of a cap
cap_at = [clamp_top - 16, clamp_low + 16];
mast_x = -spine - channel / 2;

// Printed on its side: layers follow the C, where the force runs. Origin: inner corner of the upper jaw.
module clamp_body() {
    difference() {
        linear_extrude(clamp_width) difference() {
            polygon([[-block, clamp_low], [jaw_low - 8, clamp_low], [jaw_low, clamp_low + 8],
                     [jaw_low, -throat], [8, -throat], [0, -throat + 8], [0, 0], [jaw_depth, 0],
                     [jaw_depth, jaw_tip], [10, jaw_top], [-block, jaw_top]]);
        }
        // channel for the mast
        translate([mast_x - channel / 2, clamp_low - 1, clamp_width - channel_depth])
            cube([channel, clamp_height + 2, channel_depth + 1]);
        // cap bolts, nuts in the lower face
        for (y = cap_at) for (side = [-1, 1]) translate([mast_x + side * cap_bolts / 2, y, 0]) {
            hole_z(m5, clamp_width);
            translate([0, 0, -0.01]) linear_extrude(5) hex(m5_nut);
        }
        // M8 from below, its nut slides in from the open side
        translate([clamp_bolt_x, clamp_low + jaw_bottom / 2, clamp_width / 2]) {
            hole_y(m8, jaw_bottom + 2);
            translate([-m8_nut / 2, -3.6, -m8_nut / 2 / cos(30)]) cube([m8_nut, 7.2, clamp_width]);
        }
    }
}

// Bolted over the channel.
module cap() {
    difference() {
        linear_extrude(cap_thickness) difference() {
            rounded(cap_bolts + 14, cap_length, 3);
            for (side = [-1, 1]) translate([side * cap_bolts / 2, 0]) circle(d = m5, $fn = fn);
        }
    }
}

// Turns the M8 bolt, whose head sits in it.
module knob() {
    difference() {
        linear_extrude(knob_height) difference() {
            circle(d = knob_diameter, $fn = 2 * fn);
            for (a = [0:60:300]) rotate(a) translate([knob_diameter / 2 + 4, 0]) circle(d = 18, $fn = fn);
        }
        hole_z(m8, knob_height);
        translate([0, 0, knob_height - 6]) linear_extrude(7) hex(m8_nut);
    }
}

// Presses on the table from below; the bolt turns in it. The self-locking nut on the bolt's end slides in from the side and
// turns in a round pocket, whose roof leans in over it: an open clamp keeps its foot. Printed floor down.
module pressure_foot() {
    pocket = lock_nut + 0.4;
    roof = (foot_pocket - m8 - 0.6) / 2;
    difference() {
        cylinder(d = foot_diameter, h = foot_height, $fn = 2 * fn);
        translate([0, 0, foot_floor]) {
            cylinder(d = foot_pocket, h = pocket, $fn = 2 * fn);
            translate([0, 0, pocket - 0.01]) cylinder(d1 = foot_pocket, d2 = m8 + 0.6, h = roof, $fn = 2 * fn);
            cylinder(d = m8 + 0.6, h = foot_height, $fn = fn);
            // the way in: as wide as the nut's flats below, as its bolt above, leaning in between
            rotate([90, 0, 90]) linear_extrude(foot_diameter) polygon([[-foot_slot / 2, 0], [foot_slot / 2, 0],
                [foot_slot / 2, pocket], [(m8 + 0.6) / 2, pocket + (foot_slot - m8 - 0.6) / 2], [(m8 + 0.6) / 2, foot_height],
                [-(m8 + 0.6) / 2, foot_height], [-(m8 + 0.6) / 2, pocket + (foot_slot - m8 - 0.6) / 2], [-foot_slot / 2, pocket]]);
        }
    }
}

module foot_pad() {
    cylinder(d = foot_diameter, h = pad, $fn = 2 * fn);
}

module jaw_pad() {
    linear_extrude(pad) translate([jaw_depth / 2, 0]) rounded(jaw_depth - 4, clamp_width - 2, 3);
}
