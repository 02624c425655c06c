// Moves a store and kills itself: `FROM TO BATCHES`, places as JSON. It dies after so many batches,
// at once or in the middle of the next one; with 0 it comes to its end.
import { transferStore } from '../../src/storage/transfer/transfer.ts';

const [from = '', to = '', batches = '0'] = process.argv.slice(2);
const last = Number(batches);
let count = 0;

const die = () => process.kill(process.pid, 'SIGKILL');

await transferStore({
  from: JSON.parse(from),
  to: JSON.parse(to),
  resume: true,
  onWarning: () => {},
  onProgress: () => {
    count += 1;
    if (count === last && last % 2 === 1) setImmediate(die);
    else if (last > 0 && count >= last) die();
  },
});
process.stdout.write('moved');
