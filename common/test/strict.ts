// Broken invariants fail the test they happen in (common/src/invariant.ts). A setup file of every test.
Reflect.set(globalThis, Symbol.for('mxproof.strict'), true);
