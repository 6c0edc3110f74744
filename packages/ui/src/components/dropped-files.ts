/** A file and where it lay in what was dropped, with forward slashes: "resnet/1/model.onnx". */
export interface DroppedFile {
  readonly path: string;
  readonly file: File;
}

/** Files of an input; a folder input gives paths that begin with the folder's name. */
export function filesOfInput(files: FileList | null): DroppedFile[] {
  return Array.from(files ?? [], (file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** All files of a drop, those of dropped folders included; sorted by path. */
export async function filesOfDrop(transfer: DataTransfer): Promise<DroppedFile[]> {
  // The list is emptied when the event is over, so the entries are taken before anything is awaited.
  const entries = Array.from(transfer.items, (item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const found = entries.length === 0 ? filesOfInput(transfer.files) : (await Promise.all(entries.map(filesOf))).flat();
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function filesOf(entry: FileSystemEntry): Promise<DroppedFile[]> {
  const path = entry.fullPath.replace(/^\//, "");
  if (isFile(entry)) return [{ path, file: await new Promise<File>((done, fail) => entry.file(done, fail)) }];
  if (!isDirectory(entry)) return [];
  const children = await entriesOf(entry.createReader());
  return (await Promise.all(children.map(filesOf))).flat();
}

async function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  const all: FileSystemEntry[] = [];
  // A reader hands out a hundred entries at a time; the empty answer is the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
