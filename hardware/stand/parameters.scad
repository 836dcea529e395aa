// Every size of the stand, in millimetres. Change it here, then run: python hardware/build.py
// The strength table and the cut list of the guide read this file too, so keep to lines of the form: name = number;

fn = 48;                 // roundness; build.py --coarse sets it lower

// Printer
bed = 220;               // every part fits a square bed of this side
fit = 0.3;               // gap between parts that slide into each other
overhang_max = 45;       // degrees from vertical that print without support

// Tube of mast and arm
tube = 30;               // outside
tube_chamfer = 2;
bore = 21;               // inside, octagonal: its 45 degree roof prints without support
bore_chamfer = 6;
tube_length = 200;
tube_middle = 159;       // of the mast's middle tubes: 125 to 200, sets the camera's height
mast_middles = 2;        // between the full tube in the clamp and the full tube under the arm
arm_tubes = 2;
splice_length = 120;     // sits half in one tube, half in the next
hole_first = 15;         // cross holes, from each end; the third only in a full tube
hole_second = 45;
hole_third = 75;
m5 = 5.4;                // clearance holes
m4 = 4.4;
m3 = 3.3;
m25 = 2.8;
m2 = 2.3;
m5_nut = 8.3;            // across flats
m4_nut = 7.2;
m3_nut = 5.7;
m8 = 8.5;
m8_nut = 13.3;

// Plates between mast and arm
gusset = 6;

// Table clamp
clamp_width = 42;
throat = 55;             // table top, pads and foot must go in here
jaw_depth = 65;
jaw_top = 18;
jaw_bottom = 25;
spine = 22;
flank = 15;              // beside the channel that holds the mast
channel_depth = 29.5;    // a little less than the tube: the cap pinches it
cap_thickness = 7;
cap_length = 24;
pad = 2;                 // soft pads, printed in TPU or cut from rubber
foot_diameter = 34;
foot_height = 10;
knob_diameter = 54;
knob_height = 16;
clamp_bolt = 100;        // M8, from under its head
table_thickness = 25;    // of the table drawn in the pictures; 12 to 40 can be clamped

// Camera head
cradle_length = 44;
cradle_base = 4;
cradle_wall = 5;
pivot_drop = 18;         // tilt bolt below the arm's axis
pivot_out = 42;          // and out from the arm's last cross hole
pivot_height = 24;       // above the cradle's underside
lens_drop = 8;           // camera board's upper face to the lens
tilt_max = 20;           // degrees either way
ribbon_width = 17;
ribbon_gap = 2.5;
camera_hole_x = 21;      // Camera Module 2 and 3: holes 21 x 12.5, board 25 x 24
camera_hole_y = 12.5;
hq_hole = 30;            // HQ and Global Shutter: holes 30 x 30, board 38 x 38

// Case
case_length = 150;
case_height = 92;
case_depth = 36;
case_wall = 2.5;
lid = 3;
pi_hole_x = 58;          // Raspberry Pi 4 and 5: holes 58 x 49
pi_hole_y = 49;
pi_post = 6;
pi_post_height = 7;       // room under the Pi for the saddle's nuts
pi_x = 16.5;              // middle of its holes from the case's middle; USB looks to +x, power to -y
pi_y = -4;
spacer = 5;               // under the cradle: the camera's ribbon socket needs room
window_x = 42;           // seen area of the display
window_y = 32;
button_hole = 12.2;
button_pitch = 24;
saddle_floor = 9;
saddle_length = 50;       // between the clamp and the first bolt of the mast's lowest joint
saddle_drop = 25;         // its middle under the case's middle
case_above_table = 26;

// Lamp panel: the rows follow device/machine/wiring.toml, a test compares them
panel_pitch = 33.333;
panel_row_pitch = 32;
panel_columns = 5;
panel_suits = 4;
panel_rows = 5;
panel_margin = 7;
paper = 0.1;
panel_face = 1.6;
panel_front_depth = 20;   // face and wells together
panel_wall = 2;
panel_carrier = 2;
panel_back_depth = 18;
panel_lean = 20;         // degrees back from upright

// Stand without printing: planed wood and two steel angles
wood_thick = 21;
wood_wide = 45;
wood_post = 720;
wood_arm = 480;
wood_brace = 260;
wood_tongue = 180;
wood_head = 90;
wood_angle = 75;         // leg of the steel angles
