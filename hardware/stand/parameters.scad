// Every size of the stand, in millimetres. Change it here, then run: python hardware/build.py
// The strength table and the cut list of the guide read this file too, so keep to lines of the form: name = number;

fn = 48;                 // roundness; build.py --coarse sets it lower

// Printer
bed = 220;               // every part fits a square bed of this side
fit = 0.3;               // gap between parts that slide into each other
overhang_max = 45;       // degrees from vertical that print without support

// Tube of mast and arm: square aluminium tube 25 x 25 x 2. What printed tubes change stands in variants.toml
printed_tubes = 0;
tube = 25;               // outside
tube_chamfer = 0.4;
bore = 21;               // inside
bore_chamfer = 1;        // of the plugs that go into it
mast_length = 857;       // sawn; sets the camera's height: the lens hangs 127 mm lower, over the table
arm_length = 400;
plug_length = 140;       // fills each end, so that bolts and caps do not crush the tube
jig_wall = 3;            // of the sleeve that shows where to drill
hole_first = 15;         // cross holes, from each end
hole_second = 45;
hole_third = 75;
hole_fourth = 125;

// Printed tubes instead of the bought one
tube_length = 200;
tube_middle = 152;       // of the mast's middle tubes: 125 to 200, sets the camera's height
mast_middles = 3;        // between the full tube in the clamp and the full tube under the arm
arm_tubes = 2;
splice_length = 120;     // sits half in one tube, half in the next

m5 = 5.4;                // clearance holes
m4 = 4.4;
m3 = 3.3;
m25 = 2.8;
m2 = 2.3;
m2_pilot = 1.7;          // screws cut their own thread
m5_nut = 8.3;            // across flats
m4_nut = 7.2;
m3_nut = 5.7;
m8 = 8.5;
m8_nut = 13.3;

// Plates between mast and arm
gusset = 8.5;            // with the tube 42 mm: bolts of 50 mm, whichever tube
ear = 7.5;               // the two that carry the camera's cradle

// Table clamp
clamp_width = 42;
throat = 61;             // table top, pads and foot must go in here
jaw_depth = 120;         // of the upper jaw: what keeps the stand from tipping over the table
jaw_low = 65;            // of the lower jaw
jaw_top = 27;            // at the spine, where it bends most
jaw_tip = 12;
jaw_bottom = 25;
spine = 33;
clamp_bolt_x = 38;       // from the table's edge
flank = 15;              // beside the channel that holds the mast
channel_depth = 24.5;    // a little less than the tube: the cap pinches it
cap_thickness = 7;
cap_length = 24;
pad = 2;                 // soft pads, printed in TPU or cut from rubber
foot_diameter = 34;
foot_height = 16;
foot_floor = 4;          // of the foot, between the bolt's tip and the table
foot_slot = 13.4;        // the nut on the bolt's end slides in here, its flats along it
foot_pocket = 15.8;      // and turns here: it comes out only with its flats along the slot
lock_nut = 8;            // height of the self-locking M8 nut
knob_diameter = 54;
knob_height = 16;
clamp_bolt = 100;        // M8, from under its head
table_thickness = 25;    // of the table drawn in the pictures; 12 to 40 can be clamped

// Camera head
cradle_length = 44;
cradle_base = 4;
cradle_wall = 6;
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
case_depth = 40;
case_wall = 2.5;
lid = 3;
pi_hole_x = 58;          // Raspberry Pi 4 and 5: holes 58 x 49
pi_hole_y = 49;
pi_post = 6;
pi_post_height = 7;       // room under the Pi for the heads of the saddle's bolts
pi_x = 16.5;              // middle of its holes from the case's middle; USB looks to +x, power to -y
pi_y = -4;
usb_c_x = -21.3;          // middle of the Pi 4's supply socket from the middle of its holes
csi_x = 12.5;             // and of its camera socket
csi_in = 11.5;            // that one's ribbon from the board's edge
spacer = 5;               // under the cradle: the camera's ribbon socket needs room
display_x = 44;           // board of the 1.54 inch display (D2): 240 x 240; measure yours
display_y = 32;
window_x = 28.4;          // its picture is 27.7 mm square
window_y = 28.4;
wide_display_x = 58;      // board of the 2.0 inch display (D3): 320 x 240; measure yours
wide_display_y = 36;
wide_window_x = 42;       // its picture is 40.8 x 30.6 mm
wide_window_y = 32;
display_bar_in = 14;       // the inner edges of the display's bars from the window's middle
button_hole = 12.2;
button_pitch = 24;
case_gap = 50;            // between arm and case: a straight plug, its cable's bend, the ribbon
saddle_plate = 8;         // upright, behind the case
saddle_width = 40;
saddle_cheek = 8;         // left and right of the arm
saddle_reach = 13;        // from its foremost bolt to its front
saddle_bolt = 50;         // between the two bolts into the case

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
pico_x = -58;             // middle of the Pico, from the panel's middle, seen into the open back; its port looks to -x
pico_y = 6;
pico_post = 10;           // under the board, which lies with its parts down
boot_in = 12.4;           // BOOTSEL, from the board's end with the port
boot_off = 3.6;           // and from its middle line
boot_hole = 7;
k3_x = 40;                // the perforated board lies on two strips of tape
k3_y = -20;
panel_lean = 20;         // degrees back from upright

// Stand without printing: planed wood and two steel angles
wood_thick = 21;
wood_wide = 45;
wood_post = 720;          // under the arm; a second batten beside it reaches up to the arm's top, glued and screwed
wood_arm = 480;
wood_brace = 260;
wood_tongue = 180;
wood_head = 90;
wood_head_out = 45;       // of it beyond the arm's end: there its bolts are free above and below
wood_angle = 75;         // leg of the steel angles
wood_angle_width = 20;
wood_angle_steel = 3;
wood_foot = 60;          // of the post below the table top
panel_along = 500;       // the lamp panel stands at most so far along the edge from the mast
plug_room = 60;          // the extension lead hangs so far under the table top
