// Prints the PLACES of deploy/engines/clickhouse-library.mjs for the installed libchdb.so. Run it after an update of @chdb/lib-linux-x64-gnu:
//   node bin/find-library-places.mjs
import { closeSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';

const SLOTS = ['accept', 'bind', 'getpeername', 'getsockname', 'realpath', 'setsockopt'];
/** Name of the class in its C++ type information. */
const KILLING = '19KillingErrorHandler\0';
const RELATIVE = 8n; // R_X86_64_RELATIVE

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const library = createRequire(import.meta.url).resolve('@chdb/lib-linux-x64-gnu/libchdb.so');
  console.log(inspect(findPlaces(library)).replace(/(\d+)n/g, (_, digits) => `0x${BigInt(digits).toString(16)}n`));
}

/** @param {string} file An ELF library for x86-64. */
export function findPlaces(file) {
  const fd = openSync(file, 'r');
  try {
    const section = sections(fd);
    const note = section('.note.gnu.build-id');
    const names = section('.dynstr').read();
    const symbols = records(section('.dynsym').read(), 24).map((symbol) => ({
      name: textAt(names, symbol.readUInt32LE(0)),
      value: symbol.readBigUInt64LE(8),
    }));
    const slots = records(section('.rela.plt').read(), 24).map((entry) => [
      symbols[entry.readUInt32LE(12)].name,
      entry.readBigUInt64LE(0),
    ]);
    return {
      buildId: note.read().subarray(16, 36).toString('hex'),
      buildIdAt: note.address + 16n,
      query_stable_v2: symbols.find(({ name }) => name === 'query_stable_v2').value,
      killingErrorHandler: killingErrorHandler(section),
      slots: Object.fromEntries(SLOTS.map((name) => [name, slots.find(([slot]) => slot === name)[1]])),
    };
  } finally {
    closeSync(fd);
  }
}

/**
 * Finds KillingErrorHandler::exception: type name ← type information ← virtual table, whose functions follow two
 * destructors.
 */
function killingErrorHandler(section) {
  const data = section('.rodata');
  const name = data.address + BigInt(data.read().indexOf(KILLING));
  /** Finds addresses that hold a pointer to a target, and targets by address. */
  const relocations = section('.rela.dyn').read();
  const pointersTo = (target) => {
    const found = [];
    const addend = Buffer.alloc(8);
    addend.writeBigUInt64LE(target);
    for (let at = relocations.indexOf(addend); at >= 0; at = relocations.indexOf(addend, at + 1))
      if (at % 24 === 16 && relocations.readBigUInt64LE(at - 8) === RELATIVE)
        found.push(relocations.readBigUInt64LE(at - 16));
    return found;
  };
  const pointerAt = (address) => {
    const place = Buffer.alloc(16);
    place.writeBigUInt64LE(address, 0);
    place.writeBigUInt64LE(RELATIVE, 8);
    const at = relocations.indexOf(place);
    return at < 0 ? undefined : relocations.readBigUInt64LE(at + 16);
  };
  const [typeInformation] = pointersTo(name).map((place) => place - 8n);
  const [table] = pointersTo(typeInformation).map((place) => place + 8n);
  // One each for exceptions of Poco, of the standard library, and others. The linker has merged them into one function.
  const functions = [16n, 24n, 32n].map((offset) => pointerAt(table + offset));
  if (functions[0] === undefined || functions.some((each) => each !== functions[0]))
    throw new Error(`KillingErrorHandler has several functions (${functions}): correct each of them`);
  return functions[0];
}

/** Reads sections of an ELF file by name. */
function sections(fd) {
  const header = read(fd, 0n, 64);
  const size = header.readUInt16LE(58);
  const headers = records(read(fd, header.readBigUInt64LE(40), size * header.readUInt16LE(60)), size);
  const open = (at) => ({
    address: at.readBigUInt64LE(16),
    read: () => read(fd, at.readBigUInt64LE(24), Number(at.readBigUInt64LE(32))),
  });
  const names = open(headers[header.readUInt16LE(62)]).read();
  return (name) => {
    const found = headers.find((each) => textAt(names, each.readUInt32LE(0)) === name);
    if (found === undefined) throw new Error(`the library has no section ${name}`);
    return open(found);
  };
}

function read(fd, position, bytes) {
  const buffer = Buffer.alloc(bytes);
  if (readSync(fd, buffer, 0, bytes, position) !== bytes) throw new Error('the library is truncated');
  return buffer;
}

function records(buffer, bytes) {
  return Array.from({ length: buffer.length / bytes }, (_, index) =>
    buffer.subarray(index * bytes, (index + 1) * bytes),
  );
}

function textAt(buffer, offset) {
  return buffer.toString('latin1', offset, buffer.indexOf(0, offset));
}
