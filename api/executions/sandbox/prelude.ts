/**
 * Source of the environment of a script, evaluated inside its instance before it begins. `log`, `call` and `use` are
 * the only host functions; they accept only strings and numbers. Everything needed later is captured here, so a script
 * that modifies built-in objects has no effect on it.
 *
 * Calls have the numbers that `call` assigns. The promise of a tool reports its first use by `use`. It has a different
 * constructor, because `await` calls `then` only on such a promise.
 */
export const PRELUDE = `(function (log, call, use, argumentsJson, environmentJson, inputJson, namesJson) {
  'use strict';
  const { parse, stringify } = JSON;
  const text = String;
  const ErrorOf = Error;
  const { defineProperty, freeze } = Object;
  const { apply } = Reflect;
  const { then } = Promise.prototype;
  let calls = 0;
  const show = (value) => {
    if (typeof value === 'string') return value;
    try {
      if (value instanceof ErrorOf) return value.name + ': ' + value.message;
      return stringify(value) ?? text(value);
    } catch {
      return '[not shown]';
    }
  };
  const give = (name, value) =>
    defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false });
  const line = (level) => (...values) => {
    let joined = '';
    for (let i = 0; i < values.length; i++) joined += (i === 0 ? '' : ' ') + show(values[i]);
    log(level, joined);
  };
  give('console', { log: line('info'), info: line('info'), warn: line('warn'), error: line('error'), debug: line('debug') });
  const { argv, stdin: input } = parse(inputJson);
  let unread = input;
  const read = () => {
    const text = unread;
    unread = null;
    return text;
  };
  const stdin = freeze({
    fd: 0,
    setEncoding: () => stdin,
    read,
    async *[Symbol.asyncIterator]() {
      const text = read();
      if (text !== null && text !== '') yield text;
    },
  });
  give('process', freeze({ env: freeze(parse(environmentJson)), argv, stdin }));
  const tools = {};
  for (const name of parse(namesJson)) {
    const parts = name.split('.');
    let place = tools;
    for (let i = 0; i < parts.length - 1; i++) place = place[parts[i]] ??= {};
    place[parts[parts.length - 1]] = (...given) => {
      let number = 0;
      const promise = (async () => {
        const json = stringify(given);
        number = ++calls;
        const answer = await call(name, json);
        return answer === undefined ? undefined : parse(answer);
      })();
      defineProperty(promise, 'constructor', { value: undefined });
      defineProperty(promise, 'then', {
        value: (...settled) => {
          if (number > 0) use(number);
          return apply(then, promise, settled);
        },
      });
      return promise;
    };
  }
  give('tools', tools);
  const given = parse(argumentsJson);
  for (const name in given) give(name, given[name]);
  return async (evaluated, member) => stringify(await (await evaluated)[member]);
})`;
