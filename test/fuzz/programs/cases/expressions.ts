import type { SeededRandom } from '#test/support/seeded-random.ts';
import { templatesOf } from './attack.ts';
import type { Template } from './case.ts';
import { EXPRESSION_ATTACKS, SLOW_EXPRESSION_ATTACKS } from './expression-attacks.ts';
import { mutateText } from './mutate.ts';
import { sampleInput } from './values.ts';

/** Templates of jq expressions: from a grammar of jq 1.7, mutations of these, and attacks. */
export const EXPRESSIONS: readonly Template[] = [
  { name: 'expression/grammar', make: (random) => ({ text: expression(random, 4), input: sampleInput(random) }) },
  {
    name: 'expression/mutated',
    make: (random) => ({ text: mutateText(expression(random, 3), random), input: sampleInput(random) }),
  },
  {
    name: 'expression/mutated-attack',
    make: (random) => ({
      text: mutateText(random.pick(Object.values(EXPRESSION_ATTACKS))(random), random),
      input: sampleInput(random),
    }),
  },
  ...templatesOf('expression', EXPRESSION_ATTACKS, { slow: false, input: sampleInput }),
  ...templatesOf('expression', SLOW_EXPRESSION_ATTACKS, { slow: true, input: sampleInput }),
];

const words = (text: string) => text.split(' ');
const PATHS = words(
  '. .n .s .list .objects .deep .any .objects[0].name .list[1:3] .missing? .. .["a-b"] $input $context ' +
    '$workflow.id $task.name $runtime',
);
const LITERALS = words('null true false 0 1 -1 2.5 1e3 "" "a" "\\u00e9" [] {} [1,2,3] {"a":1} nan infinite');
const NULLARY = words(
  'length keys values add any all flatten floor sqrt tostring tonumber type sort unique reverse min max ' +
    'to_entries from_entries tojson fromjson ascii_downcase explode implode ltrimstr("a") rtrimstr("a") trim ' +
    'transpose first last paths leaf_paths tostream @base64 @base64d @json @text @csv @tsv @html @uri @sh now ' +
    'todate fromdate gmtime mktime not empty error halt input inputs debug env $ENV input_line_number ' +
    'splits("a") getpath(["a","b"]) combinations walk(.) ascii abs toarray have_literal_numbers significand ' +
    'gamma pow(.;2) log infinite isvalid(.) pick(.a) limit(3;.[]?) until(true;.) getpath([]) delpaths([[0]]) ' +
    'to_entries? ltrimstr(1) splits(1) tojson|fromjson group_by(.) unique_by(length)',
);
const UNARY = words(
  'map select sort_by group_by unique_by min_by max_by with_entries map_values recurse path paths del any ' +
    'all first last has in inside contains index indices startswith endswith split join test match capture ' +
    'scan ltrimstr getpath error isempty walk range ascii tojson flatten repeat input splits strftime strptime ' +
    'todate env getpath combinations truncate_stream',
);
const BINARY = words('+ - * / % == != < <= > >= and or // | , |= += -= *= //= =');

/**
 * Generates an expression. The grammar repeats nothing more than a few hundred times, so that most expressions are
 * fast.
 */
function expression(random: SeededRandom, depth: number): string {
  if (depth <= 0) return random.pick([random.pick(PATHS), random.pick(LITERALS)]);
  const inner = () => expression(random, depth - 1);
  switch (random.between(0, 15)) {
    case 0:
    case 1:
      return random.pick(PATHS);
    case 2:
      return random.pick(LITERALS);
    case 3:
    case 4:
      return `(${inner()} | ${random.pick(NULLARY)})`;
    case 5:
      return `(${inner()} | limit(20; ${random.pick(UNARY)}(${inner()})))`;
    case 6:
    case 7:
      return `(${inner()} ${random.pick(BINARY)} ${inner()})`;
    case 8:
      return `[limit(50; ${inner()})]`;
    case 9:
      return `{${random.pick(['a', '"b"', '(.s|tostring)', '$__loc__', '@base64 "x"'])}: ${inner()}}`;
    case 10:
      return `if ${inner()} then ${inner()} elif ${inner()} then ${inner()} else ${inner()} end`;
    case 11:
      return `(try (${inner()}) catch ${inner()})`;
    case 12:
      return `reduce range(${random.between(0, 99)}) as $x (${inner()}; ${inner()})`;
    case 13:
      return `[foreach range(${random.between(0, 99)}) as $x (${inner()}; ${inner()}; ${inner()})]`;
    case 14:
      return `(def f(g): ${inner()}; f(${inner()}))`;
    default:
      return random.pick([
        `"a\\(${inner()})b"`,
        `(label $out | ${inner()} | ., break $out)`,
        `(${inner()} as [$a, {b: $c}] ?// $a | $a)`,
        `(${inner()})[1:]?`,
        `@json "x\\(${inner()})"`,
        `(. as $v | ${inner()})`,
        `first(${inner()})`,
        `(${inner()})?`,
      ]);
  }
}
