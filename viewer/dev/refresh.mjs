// Puts the viewer as it is now into a page that `thud report` wrote:  node dev/refresh.mjs report.html page.html
import { readFileSync, writeFileSync } from 'node:fs';
import { bundle } from '../build.mjs';

const [from, to] = process.argv.slice(2);
if (!from || !to) {
  console.error('usage: node dev/refresh.mjs REPORT.html PAGE.html');
  process.exit(2);
}
const files = await bundle();
const html = readFileSync(from, 'utf8');
const style = html.indexOf('<style>') + '<style>'.length;
const script = html.lastIndexOf('<script>') + '<script>'.length; // the others have a type
const end = (name, start) => html.indexOf(`</${name}>`, start);
writeFileSync(
  to,
  [
    html.slice(0, style),
    files.css,
    html.slice(end('style', style), script),
    files.js,
    html.slice(end('script', script)),
  ].join(''),
);
