/** What Node has of a proposal that TypeScript does not know yet: https://github.com/tc39/proposal-json-parse-with-source */
interface JSON {
  /** Makes what `stringify` writes as the text that it is. */
  rawJSON(text: string): object;
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
}
