"""VTK files: a parser of .vtu files of its own, and VTK where python3-vtk9 is installed."""
import base64
import json
import os
import struct
import subprocess
import sys
import xml.etree.ElementTree

READ_BY_VTK = """
import json, sys, vtk
reader = vtk.vtkXMLUnstructuredGridReader()
reader.SetFileName(sys.argv[1])
reader.Update()
grid = reader.GetOutput()

def arrays(data):
    found = {}
    for k in range(data.GetNumberOfArrays()):
        array = data.GetAbstractArray(k)
        found[array.GetName()] = [array.GetValue(i) for i in range(array.GetNumberOfValues())]
    return found

print(json.dumps({"points": [x for k in range(grid.GetNumberOfPoints()) for x in grid.GetPoint(k)],
                  "cells": [[grid.GetCell(k).GetPointId(i) for i in range(grid.GetCell(k).GetNumberOfPoints())]
                            for k in range(grid.GetNumberOfCells())],
                  "types": [grid.GetCellType(k) for k in range(grid.GetNumberOfCells())],
                  "point_data": arrays(grid.GetPointData()), "cell_data": arrays(grid.GetCellData()),
                  "field_data": arrays(grid.GetFieldData())}))
"""


def arrays(path):
    """Name -> numbers (or texts) of a .vtu file."""
    types = {"Float64": "d", "Int64": "q", "UInt8": "B"}
    found = {}
    for array in xml.etree.ElementTree.parse(path).iter():
        if array.tag not in ("DataArray", "Array"):
            continue
        data = base64.b64decode(array.text.strip())
        length = struct.unpack("=Q", data[:8])[0]
        if array.get("type") == "String":
            found[array.get("Name")] = data[8:8 + length].decode().split("\0")[:-1]
            continue
        letter = types[array.get("type")]
        found[array.get("Name")] = struct.unpack(f"={length // struct.calcsize(letter)}{letter}", data[8:])
    return found


def listed(path):
    """Time and attributes of every file of a .pvd list."""
    return [(float(row.get("timestep")), row.attrib) for row in xml.etree.ElementTree.parse(path).iter("DataSet")]


def python_with_vtk():
    for program in (sys.executable, "/usr/bin/python3"):
        if os.path.exists(program) and subprocess.run([program, "-c", "import vtk"], capture_output=True).returncode == 0:
            return program
    return None


def read_by_vtk(program, path):
    """What VTK finds in a .vtu file; None and what it says when it cannot read it."""
    read = subprocess.run([program, "-c", READ_BY_VTK, str(path)], capture_output=True, text=True)
    return (json.loads(read.stdout) if read.returncode == 0 else None), read.stderr
