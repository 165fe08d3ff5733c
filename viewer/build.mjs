// Builds dist/viewer.js and dist/viewer.css, the files that the program embeds.
//   node build.mjs           writes them
//   node build.mjs --check   builds in memory and compares with dist: the committed files belong to the sources
import { readFile, writeFile, mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));

// What the MIT licence of the bundled libraries asks for.
const NOTICE = `/* The viewer of thud (Apache-2.0). It contains three.js, Copyright 2010-2026 three.js authors, and uPlot, Copyright 2022
Leon Sorokin, both under the MIT licence: Permission is hereby granted, free of charge, to any person obtaining a copy of this
software and associated documentation files (the "Software"), to deal in the Software without restriction, including without
limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to
permit persons to whom the Software is furnished to do so, subject to the following conditions: The above copyright notice and
this permission notice shall be included in all copies or substantial portions of the Software. THE SOFTWARE IS PROVIDED "AS IS",
WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A
PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR
OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR
THE USE OR OTHER DEALINGS IN THE SOFTWARE. */`;

// The built files as {js, css}, each a Buffer. The same sources and lock file give the same bytes: no dates, no paths.
export async function bundle({ minify = true } = {}) {
  const result = await build({
    absWorkingDir: here,
    entryPoints: ['src/main.js'],
    bundle: true,
    format: 'iife',
    minify,
    target: 'es2020',
    charset: 'utf8',
    legalComments: 'none',
    banner: { js: NOTICE, css: '/* Part of thud (Apache-2.0) with the style of uPlot (MIT, Leon Sorokin). */' },
    outdir: 'dist',
    entryNames: 'viewer',
    write: false,
    logLevel: 'warning',
  });
  const of = (end) => Buffer.from(result.outputFiles.find((file) => file.path.endsWith(end)).contents);
  const files = { js: of('.js'), css: of('.css') };
  // Inside <script> and <style> these would end the element.
  for (const [name, bytes] of Object.entries(files))
    if (/<\/(script|style)|<!--/i.test(bytes.toString('latin1')))
      throw new Error(`viewer.${name} contains text that ends its element in a page`);
  return files;
}

async function write(files) {
  await mkdir(join(here, 'dist'), { recursive: true });
  for (const [name, bytes] of Object.entries(files)) {
    await writeFile(join(here, 'dist', `viewer.${name}`), bytes);
    console.log(`dist/viewer.${name}: ${bytes.length} bytes`);
  }
}

async function check(files) {
  let same = true;
  for (const [name, bytes] of Object.entries(files)) {
    const committed = await readFile(join(here, 'dist', `viewer.${name}`)).catch(() => Buffer.alloc(0));
    const equal = committed.equals(bytes);
    console.log(`${equal ? 'ok' : 'not ok'} - dist/viewer.${name} is what its sources give`);
    same = same && equal;
  }
  if (!same) console.log('run: npm ci && npm run build, and commit viewer/dist');
  return same;
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const files = await bundle();
  if (process.argv.includes('--check')) process.exitCode = (await check(files)) ? 0 : 1;
  else await write(files);
}
