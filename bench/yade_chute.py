# The chute flow in YADE: bed, law, step and gravity of scenarios/chute.toml.
#   BED=BED.DATA STEPS=200 yade -j 1 -n -x yade_chute.py
# Forces as LAMMPS's gran/hooke/history: of two equal ViscElMat YADE sets the springs and the dashpots in series, so each
# gets twice the value of the pair; its dashpot is per grain, ours per effective mass (half of a grain's).
# Prints the seconds of all steps but the first, which sets up the contacts, and kinetic energy.
import os, time
from math import atan, cos, pi, sin

from yade import *
from yade import utils

bed, steps = os.environ["BED"], int(os.environ["STEPS"])
skin = float(os.environ.get("SKIN", "0.1"))
stiffness, damping_per_mass, friction = 2e5, 50.0, 0.5
position, velocity, section, width = {}, {}, None, {}
for line in open(bed):
    w = line.split("#")[0].split()
    if not w:
        continue
    if w[-1] in ("xhi", "yhi"):
        width[w[-1]] = float(w[1]) - float(w[0])
    elif w[0] in ("Atoms", "Velocities"):
        section = w[0]
    elif section == "Atoms":
        position[int(w[0])] = [float(q) for q in w[4:7]]
    elif section == "Velocities":
        velocity[int(w[0])] = [float(q) for q in w[1:7]]
O.periodic = True
O.cell.setBox(width["xhi"], width["yhi"], 200.0)  # in z too; nothing gets there
grain = O.materials.append(ViscElMat(density=6 / pi, frictionAngle=atan(friction), kn=2 * stiffness,
                                     ks=2 * stiffness * 2 / 7, cn=damping_per_mass, cs=0.0))
O.bodies.append(utils.wall(Vector3(0, 0, 0), axis=2, sense=0, material=grain))
for i in sorted(position):
    body = utils.sphere(position[i], 0.5, material=grain)
    v = velocity.get(i, [0.0] * 6)
    body.state.vel, body.state.angVel = Vector3(*v[:3]), Vector3(*v[3:])
    O.bodies.append(body)
slope = 22 * pi / 180
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()], verletDist=skin / 2, allowBiggerThanPeriod=True),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()], [Ip2_ViscElMat_ViscElMat_ViscElPhys()],
                    [Law2_ScGeom_ViscElPhys_Basic()]),
    NewtonIntegrator(damping=0.0, gravity=(sin(slope), 0, -cos(slope))),
]
O.dt = 1e-4
O.run(1, True)
start = time.time()
O.run(steps - 1, True)
seconds = time.time() - start
kinetic = sum(0.5 * b.state.mass * b.state.vel.squaredNorm() for b in O.bodies if isinstance(b.shape, Sphere))
print("RESULT %.6g %d %d %.9g" % (seconds, steps - 1, len(position), kinetic / len(position)), flush=True)
os._exit(0)  # the orderly end of YADE takes long and may crash
