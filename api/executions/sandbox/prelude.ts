/**
 * What a script finds around it, made inside of its own world before it begins. `log` and `call` are the only functions of ours; both take text
 * alone. What the script does to built-in objects later on harms nobody: everything needed at its end is kept here.
 */
export const PRELUDE = `(function (log, call, argumentsJson, environmentJson, namesJson) {
  'use strict';
  const { parse, stringify } = JSON;
  const text = String;
  const ErrorOf = Error;
  const { defineProperty, freeze } = Object;
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
  give('process', freeze({ env: freeze(parse(environmentJson)) }));
  const tools = {};
  for (const name of parse(namesJson)) {
    const parts = name.split('.');
    let place = tools;
    for (let i = 0; i < parts.length - 1; i++) place = place[parts[i]] ??= {};
    place[parts[parts.length - 1]] = async (...given) => {
      const answer = await call(name, stringify(given));
      return answer === undefined ? undefined : parse(answer);
    };
  }
  give('tools', tools);
  const given = parse(argumentsJson);
  for (const name in given) give(name, given[name]);
  return async (evaluated) => stringify(await (await evaluated).value);
})`;
