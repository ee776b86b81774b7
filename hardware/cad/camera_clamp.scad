// Holds a camera over the board: a collar on a horizontal tube, closed by one M4 screw, and below it a plate for the
// camera. Turn the collar on the tube and the camera looks straight down.
//
//     openscad -o camera_clamp.stl camera_clamp.scad
//     openscad -D tube_mm=25 -D 'camera="tripod"' -o camera_clamp.stl camera_clamp.scad
//
// Print it as it stands, the tube's axis upright, without supports.

camera = "pi";          // "pi": four M2 screws; "tripod": one 1/4 inch screw, as under webcams
tube_mm = 20;           // outside, of the tube that reaches over the board
bed_mm = 220;

wall_mm = 4;
width_mm = 30;          // along the tube
gap_mm = 2;             // what the screw can close
ear_mm = 12;
screw_mm = 4.4;         // M4
nut_mm = 7.2;           // M4, across the flats
nut_deep_mm = 2.6;
plate_mm = 5;           // thickness of the plate

// Raspberry Pi camera modules: 25 mm wide, holes 21 mm apart, the second pair 12.5 mm below the first. Taken from
// memory, not from a drawing: measure yours.
hole_apart_mm = 21;
hole_below_mm = 12.5;
hole_mm = 1.8;          // M2 cuts its own thread
boss_mm = 5;            // keeps the parts on the module's back off the plate
boss_high_mm = 3;
tripod_mm = 6.6;        // 1/4 inch with play
tripod_head_mm = 14;    // the screw goes in from the tube's side, before the tube does
tripod_head_deep_mm = 5;

outer_mm = tube_mm + 2 * wall_mm;
plate_width_mm = max(hole_apart_mm + 2 * boss_mm, outer_mm);
plate_x_mm = tube_mm / 2 + wall_mm;

assert(camera == "pi" || camera == "tripod", "camera is pi or tripod");
assert(plate_width_mm <= bed_mm && 2 * plate_x_mm + plate_mm + ear_mm <= bed_mm, "larger than the bed");
assert(hole_below_mm + 2 * boss_mm <= width_mm, "the camera's holes do not fit the plate: make width_mm larger");

$fn = 48;

// Seen along the tube: ring, ears, and the block down to the plate. Drawn flat and then raised: that computes fast.
module collar() {
    difference() {
        linear_extrude(width_mm) difference() {
            union() {
                circle(d = outer_mm);
                translate([0, -outer_mm / 2]) square([plate_x_mm, outer_mm]);
                translate([-outer_mm / 2 - ear_mm + wall_mm, -gap_mm / 2 - wall_mm])
                    square([ear_mm + wall_mm, gap_mm + 2 * wall_mm]);
            }
            circle(d = tube_mm);
            translate([-outer_mm / 2 - ear_mm, -gap_mm / 2]) square([outer_mm / 2 + ear_mm, gap_mm]);
        }
        ear_screw();
    }
}

module ear_screw() {
    translate([-outer_mm / 2 - ear_mm / 2 + wall_mm / 2, 0, width_mm / 2])
        rotate([90, 0, 0]) {
            cylinder(d = screw_mm, h = outer_mm, center = true);
            translate([0, 0, gap_mm / 2 + wall_mm - nut_deep_mm])
                rotate(30) cylinder(d = nut_mm / cos(30), h = outer_mm, $fn = 6);
        }
}

module plate() {
    translate([plate_x_mm - 0.01, -plate_width_mm / 2, 0]) cube([plate_mm, plate_width_mm, width_mm]);
    if (camera == "pi") at_each_hole() cylinder(d = boss_mm, h = boss_high_mm + 0.01, $fn = 24);
}

// Of the module's four holes: the axis points away from the plate, the origin lies on its face.
module at_each_hole() {
    for (y_mm = [-hole_apart_mm / 2, hole_apart_mm / 2], z_mm = [-hole_below_mm / 2, hole_below_mm / 2])
        translate([plate_x_mm + plate_mm - 0.02, y_mm, width_mm / 2 + z_mm]) rotate([0, 90, 0]) children();
}

module camera_holes() {
    if (camera == "pi")
        at_each_hole() translate([0, 0, 1 - plate_mm]) cylinder(d = hole_mm, h = plate_mm + boss_high_mm, $fn = 12);
    else
        translate([0, 0, width_mm / 2]) rotate([0, 90, 0]) {
            cylinder(d = tripod_mm, h = plate_x_mm + plate_mm + 1);
            cylinder(d = tripod_head_mm, h = tube_mm / 2 + tripod_head_deep_mm);
        }
}

difference() {
    union() {
        collar();
        plate();
    }
    camera_holes();
}
