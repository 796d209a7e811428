/**
 * Loaded into a service before its own modules: lets it die, as by SIGKILL, among the markers that it writes. When it
 * does is said by a file, whose path is the parameter `order` of this module's address: it holds the number of markers
 * that still come to stand. Without the file nothing happens.
 *
 * @module
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const MARKER = /\/seen\/[0-9a-f]{64}\.json$/;

const order = new URL(import.meta.url).searchParams.get('order') ?? '';
const rename = fs.renameSync;
let written = 0;

// A marker stands once its file has its name.
fs.renameSync = (from, to) => {
  const isMarker = MARKER.test(String(to));
  if (isMarker) dieWhereOrdered();
  rename(from, to);
  if (!isMarker || !fs.existsSync(order)) return;
  written += 1;
  dieWhereOrdered();
};
syncBuiltinESMExports();

function dieWhereOrdered(): void {
  if (fs.existsSync(order) && written === Number(fs.readFileSync(order, 'utf8'))) {
    process.kill(process.pid, 'SIGKILL');
  }
}
