import { type ConfigOptions, loadConfig } from '../config.ts';

process.stdout.write(JSON.stringify(loadConfig(JSON.parse(process.argv[2] ?? '{}') as ConfigOptions)));
