import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { createDecoderModule, createEncoderModule } = require('draco3d');
const decoding = await createDecoderModule({});
const decoder = new decoding.Decoder();
const file = readFileSync(require.resolve('draco3d/bunny.drc'));
const mesh = new decoding.Mesh();
const status = decoder.DecodeArrayToMesh(new Int8Array(file), file.length, mesh);
console.log(status.ok(), mesh.num_faces(), mesh.num_points());

// The decoded mesh, encoded again.
const { HEAPF32, HEAPU32 } = decoding;
const read = (size, heap, get) => {
  const place = decoding._malloc(size);
  get(place);
  const values = heap.slice(place / 4, (place + size) / 4);
  decoding._free(place);
  return values;
};
const position = decoder.GetAttribute(mesh, decoder.GetAttributeId(mesh, decoding.POSITION));
const positionSize = mesh.num_points() * 12, faceSize = mesh.num_faces() * 12;
const positions = read(positionSize, decoding.HEAPF32 ?? HEAPF32, (place) => decoder.GetAttributeDataArrayForAllPoints(mesh, position, decoding.DT_FLOAT32, positionSize, place));
const faces = read(faceSize, decoding.HEAPU32 ?? HEAPU32, (place) => decoder.GetTrianglesUInt32Array(mesh, faceSize, place));
const encoding = await createEncoderModule({});
const encoder = new encoding.Encoder(), builder = new encoding.MeshBuilder(), copy = new encoding.Mesh();
builder.AddFacesToMesh(copy, mesh.num_faces(), faces);
builder.AddFloatAttributeToMesh(copy, encoding.POSITION, mesh.num_points(), 3, positions);
encoder.SetEncodingMethod(encoding.MESH_EDGEBREAKER_ENCODING);
const output = new encoding.DracoInt8Array();
console.log(encoder.EncodeMeshToDracoBuffer(copy, output));
