// The notes of a release, cut from CHANGELOG.md. Promise: the whole section of this version and of no other, with links that
// lead to the files of its tag; a version without a section is an error.

const REPOSITORY = 'https://github.com/mxproof/mxproof';
/** GitHub takes no more in the text of a release. */
export const NOTES_MAX_CHARACTERS = 125_000;

export function releaseNotes(changelog: string, version: string): string {
  const lines = changelog.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`## [${version}] `));
  if (start === -1) throw new Error(`CHANGELOG.md has no section "## [${version}] - …": write it first.`);
  const rest = lines.slice(start + 1);
  // The next version, or the links that end the file.
  const end = rest.findIndex((line) => /^## \[|^\[\d+\.\d+\.\d+\]: /.test(line));
  const section = rest
    .slice(0, end === -1 ? undefined : end)
    .join('\n')
    .trim();
  if (section === '') throw new Error(`The section of ${version} in CHANGELOG.md is empty: write it first.`);
  const at = `${REPOSITORY}/blob/v${version}/`;
  const notes = `${section.replace(/\]\((?![a-z]+:|#)([^()\s]+)\)/g, `](${at}$1)`)}

---

[How to check what you downloaded](${at}docs/guide/releases.md): signatures, checksums and bills of materials.
`;
  if (notes.length > NOTES_MAX_CHARACTERS)
    throw new Error(
      `The notes of ${version} have ${notes.length} characters, and GitHub takes ${NOTES_MAX_CHARACTERS}: shorten its section in CHANGELOG.md.`,
    );
  return notes;
}
