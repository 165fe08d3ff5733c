// Chunks of poses are decoded here: in a worker, or on the main thread where none can start.
// All functions use nothing from outside themselves: their text is the program of the worker.
import { decodeBase64, decodePlanes } from '../data.js';

// {texts: base64 by block, position, rotation: NUM, times: of the frames} -> {position, rotation: Float32Array, counts}.
async function decodeChunk(job, tools) {
  const bytes = {};
  for (const [block, text] of Object.entries(job.texts)) {
    const packed = new Blob([tools.decodeBase64(text.trim())]);
    const stream = packed.stream().pipeThrough(new DecompressionStream('deflate-raw'));
    bytes[block] = new Uint8Array(await new Response(stream).arrayBuffer());
  }
  const position = tools.decodePlanes(bytes[job.position.b], job.position);
  await tools.pause();
  const rotation = tools.decodePlanes(bytes[job.rotation.b], job.rotation);
  await tools.pause();
  return { position, rotation, counts: tools.countSpeeds(position, job.times, job.dimension) };
}

// How often speeds occur: in classes of an eighth of an octave, class 256 begins at 1. Of large chunks a part of the bodies.
function countSpeeds(position, times, dimension) {
  const counts = new Uint32Array(512);
  const cols = position.length / times.length;
  const stride = dimension * Math.max(1, Math.floor(position.length / (dimension * 200000)));
  for (let row = 1; row < times.length; row++) {
    const step = times[row] - times[row - 1];
    if (!(step > 0)) continue; // both limits of a jump
    for (let c = 0; c + dimension <= cols; c += stride) {
      let sum = 0;
      for (let k = 0; k < dimension; k++) {
        const way = position[row * cols + c + k] - position[(row - 1) * cols + c + k];
        sum += way * way;
      }
      if (sum > 0) counts[Math.max(0, Math.min(511, Math.floor(8 * Math.log2(Math.sqrt(sum) / step)) + 256))] += 1;
    }
  }
  return counts;
}

// Inside the worker: answers one message after the other.
function serve(decode, tools) {
  self.onmessage = async (message) => {
    try {
      const made = await decode(message.data, tools);
      self.postMessage({ made }, [made.position.buffer, made.rotation.buffer]);
    } catch (error) {
      self.postMessage({ error: String(error) });
    }
  };
}

const atOnce = () => Promise.resolve();
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

// A decoder: {decode(job) -> promise, stop()}; one job at a time.
export function createDecoder() {
  const alone = {
    decode: (job) => decodeChunk(job, { decodeBase64, decodePlanes, countSpeeds, pause: nextTask }),
    stop() {},
  };
  const program = `(${serve})(${decodeChunk}, {decodeBase64: ${decodeBase64}, decodePlanes: ${decodePlanes},
    countSpeeds: ${countSpeeds}, pause: ${atOnce}})`;
  let worker;
  try {
    const address = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }));
    worker = new Worker(address);
    URL.revokeObjectURL(address);
  } catch {
    return alone;
  }
  let broken = false;
  const ask = (job) =>
    new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data.made));
      worker.onerror = (event) => {
        event.preventDefault();
        broken = true; // the browser refused to start it: from now on without
        resolve(alone.decode(job));
      };
      worker.postMessage(job);
    });
  return { decode: (job) => (broken ? alone.decode(job) : ask(job)), stop: () => worker.terminate() };
}
