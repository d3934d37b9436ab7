import { registerHooks } from 'node:module';

/** Node asks for an attribute with each import of JSON, which the code that ships has no need of: it is bundled. */
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    return resolved.url.endsWith('.json') ? { ...resolved, importAttributes: { type: 'json' } } : resolved;
  },
});
