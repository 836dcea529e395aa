// Shapes that several parts share.
include <parameters.scad>

// A square with cut corners, centred.
module chamfered(size, cut) {
    h = size / 2;
    polygon([[-h + cut, -h], [h - cut, -h], [h, -h + cut], [h, h - cut],
             [h - cut, h], [-h + cut, h], [-h, h - cut], [-h, -h + cut]]);
}

// A rounded rectangle, centred.
module rounded(x, y, r) {
    offset(r) square([x - 2 * r, y - 2 * r], center = true);
}

// A hole along Y that prints lying down: its roof is a 45 degree tip.
module hole_y(d, length) {
    rotate([-90, 0, 0]) translate([0, 0, -length / 2]) linear_extrude(length) drop(d);
}

// The same along X.
module hole_x(d, length) {
    rotate([0, 0, 90]) hole_y(d, length);
}

// Round below, pointed above (towards -Y before hole_y turns it up).
module drop(d) {
    circle(d = d, $fn = fn);
    polygon([[-d / 2 * cos(45), -d / 2 * sin(45)], [d / 2 * cos(45), -d / 2 * sin(45)], [0, -d / 2 / sin(45)]]);
}

module hole_z(d, length) {
    translate([0, 0, -0.01]) cylinder(d = d, h = length + 0.02, $fn = fn);
}

// A hexagon by the width across its flats.
module hex(flats) {
    circle(d = flats / cos(30), $fn = 6);
}

// Cross holes of a printed tube of this length, as distances from one end.
function tube_holes(length) = length >= tube_length
    ? [hole_first, hole_second, hole_third, length - hole_third, length - hole_second, length - hole_first]
    : [hole_first, hole_second, length - hole_second, length - hole_first];
