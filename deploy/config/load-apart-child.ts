import { loadConfig } from '../config.ts';

process.stdout.write(JSON.stringify(loadConfig(process.argv[2])));
