// Preloaded: when the process ends, writes the most memory that it had, in bytes, to the file $WI_MEMORY_FILE.
import { writeFileSync } from 'node:fs';

const { resourceUsage } = process;
process.on('exit', () => writeFileSync(process.env.WI_MEMORY_FILE, String(resourceUsage().maxRSS * 1024)));
