#include "record/commit.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { PAGE = 4096, ENTRY_BYTES = 16, TRAILER_BYTES = 40 };

/* Journal: per page an entry {u64 address, u64 length} and the bytes; then the trailer {magic[16], u64 start of the
 * journal, u64 number of pages, u64 checksum of journal and trailer so far}. Little-endian. */
static const char trailer_magic[16] = "thud journal 1\r\n";

typedef struct page {
  uint64_t address; /* multiple of PAGE */
  uint8_t bytes[PAGE];
} page;

/* H5FD_t must come first: HDF5 hands this struct around under that type. */
typedef struct commit_file {
  H5FD_t base;
  thud_commit_status *status;
  int descriptor;
  bool writable;
  uint64_t end_of_allocation; /* HDF5's EOA */
  uint64_t end_of_file;       /* what HDF5 may read: written, committed or journalled */
  uint64_t committed;         /* bytes in front of this are not touched directly */
  page *pages;                /* [page_count] changed pages in front of it, in the order of their first change */
  size_t page_count, page_capacity;
  size_t *order; /* [page_count] indices into pages by address */
  size_t order_capacity;
} commit_file;

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* ---- plain file access, retried until complete ---------------------------------------------------------- */

static bool read_at(int descriptor, uint64_t address, size_t size, uint8_t *bytes) {
  while (size > 0) {
    ssize_t got = pread(descriptor, bytes, size, (off_t)address);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) break;
    bytes += got;
    address += (uint64_t)got;
    size -= (size_t)got;
  }
  memset(bytes, 0, size); /* behind the end of the file there are zeros */
  return true;
}

static bool write_at(int descriptor, uint64_t address, size_t size, const uint8_t *bytes) {
  while (size > 0) {
    ssize_t put = pwrite(descriptor, bytes, size, (off_t)address);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes += put;
    address += (uint64_t)put;
    size -= (size_t)put;
  }
  return true;
}

static herr_t fail(commit_file *file, int error_number) {
  file->status->failed = true;
  file->status->error_number = error_number;
  return -1;
}

/* ---- changed pages --------------------------------------------------------------------------------------- */

/* Place in `order` of the first page whose address is >= address. */
static size_t lower_bound(const commit_file *file, uint64_t address) {
  size_t low = 0, high = file->page_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (file->pages[file->order[middle]].address < address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static page *find_page(const commit_file *file, size_t place, uint64_t address) {
  if (place == file->page_count) return NULL;
  page *found = &file->pages[file->order[place]];
  return found->address == address ? found : NULL;
}

/* A new page at `place`, its bytes undefined; NULL when memory is short. */
static page *insert_page(commit_file *file, size_t place, uint64_t address) {
  thud_context *context = file->status->context;
  size_t needed = file->page_count + 1;
  if (thud_array_reserve(context, (void **)&file->pages, &file->page_capacity, needed, sizeof(page)) != THUD_OK ||
      thud_array_reserve(context, (void **)&file->order, &file->order_capacity, needed, sizeof(size_t)) != THUD_OK)
    return NULL;
  memmove(&file->order[place + 1], &file->order[place], (file->page_count - place) * sizeof(size_t));
  file->order[place] = file->page_count;
  file->pages[file->page_count].address = address;
  return &file->pages[file->page_count++];
}

static herr_t change_pages(commit_file *file, uint64_t address, size_t size, const uint8_t *bytes) {
  while (size > 0) {
    uint64_t start = address - address % PAGE;
    size_t within = (size_t)(address - start), part = (size_t)least(size, PAGE - within);
    size_t place = lower_bound(file, start);
    page *changed = find_page(file, place, start);
    if (changed == NULL) {
      changed = insert_page(file, place, start);
      if (changed == NULL) return fail(file, 0);
      if (!read_at(file->descriptor, start, PAGE, changed->bytes)) return fail(file, errno);
    }
    memcpy(changed->bytes + within, bytes, part);
    address += part;
    bytes += part;
    size -= part;
  }
  return 0;
}

/* Lays the changed pages over bytes that were read from the file. */
static void overlay_pages(const commit_file *file, uint64_t address, size_t size, uint8_t *bytes) {
  uint64_t end = least(address + size, file->committed);
  if (address >= end) return;
  for (size_t place = lower_bound(file, address - address % PAGE); place < file->page_count; place++) {
    const page *changed = &file->pages[file->order[place]];
    if (changed->address >= end) return;
    uint64_t from = changed->address > address ? changed->address : address;
    uint64_t to = least(changed->address + PAGE, end);
    memcpy(bytes + (from - address), changed->bytes + (from - changed->address), (size_t)(to - from));
  }
}

/* ---- the journal -------------------------------------------------------------------------------------------- */

static void put_u64(uint64_t value, uint8_t *bytes) {
  for (int k = 0; k < 8; k++) bytes[k] = (uint8_t)(value >> (8 * k));
}

static uint64_t get_u64(const uint8_t *bytes) {
  uint64_t value = 0;
  for (int k = 0; k < 8; k++) value |= (uint64_t)bytes[k] << (8 * k);
  return value;
}

/* Bytes of a page that belong to the committed file. */
static size_t page_length(const commit_file *file, const page *changed) {
  return (size_t)least(PAGE, file->committed - changed->address);
}

static bool write_journal(const commit_file *file, uint64_t start) {
  uint64_t at = start;
  uLong sum = crc32(0, NULL, 0);
  for (size_t k = 0; k < file->page_count; k++) {
    const page *changed = &file->pages[k];
    size_t length = page_length(file, changed);
    uint8_t entry[ENTRY_BYTES];
    put_u64(changed->address, entry);
    put_u64(length, entry + 8);
    sum = crc32(sum, entry, sizeof entry);
    sum = crc32(sum, changed->bytes, (uInt)length);
    if (!write_at(file->descriptor, at, sizeof entry, entry) ||
        !write_at(file->descriptor, at + sizeof entry, length, changed->bytes))
      return false;
    at += sizeof entry + length;
  }
  uint8_t trailer[TRAILER_BYTES];
  memcpy(trailer, trailer_magic, sizeof trailer_magic);
  put_u64(start, trailer + 16);
  put_u64(file->page_count, trailer + 24);
  put_u64(crc32(sum, trailer, 32), trailer + 32);
  return write_at(file->descriptor, at, sizeof trailer, trailer);
}

static bool write_pages(const commit_file *file) {
  for (size_t k = 0; k < file->page_count; k++)
    if (!write_at(file->descriptor, file->pages[k].address, page_length(file, &file->pages[k]), file->pages[k].bytes))
      return false;
  return true;
}

static herr_t commit(commit_file *file) {
  uint64_t end = file->end_of_allocation;
  if (end < file->committed) end = file->committed;
  if (file->page_count > 0 && (!write_journal(file, end) || !write_pages(file))) return fail(file, errno);
  if (ftruncate(file->descriptor, (off_t)end) != 0) return fail(file, errno);
  file->page_count = 0;
  file->committed = file->end_of_file = end;
  return 0;
}

/* One journal entry at *at into the changed pages; false when it makes no sense. */
static bool load_entry(commit_file *file, uint64_t *at, uint64_t end, uLong *sum) {
  uint8_t entry[ENTRY_BYTES], bytes[PAGE];
  if (end - *at < sizeof entry || !read_at(file->descriptor, *at, sizeof entry, entry)) return false;
  uint64_t address = get_u64(entry), length = get_u64(entry + 8);
  *at += sizeof entry;
  if (address % PAGE != 0 || length == 0 || length > PAGE || length > end - *at || address >= file->committed)
    return false;
  if (!read_at(file->descriptor, *at, (size_t)length, bytes)) return false;
  *sum = crc32(crc32(*sum, entry, sizeof entry), bytes, (uInt)length);
  *at += length;
  return change_pages(file, address, (size_t)length, bytes) >= 0;
}

/* Takes over the journal of a killed process. Without a complete one the file is as the flush before left it. */
static void load_journal(commit_file *file, uint64_t size) {
  uint8_t trailer[TRAILER_BYTES];
  if (size < TRAILER_BYTES || !read_at(file->descriptor, size - TRAILER_BYTES, TRAILER_BYTES, trailer)) return;
  uint64_t start = get_u64(trailer + 16), count = get_u64(trailer + 24), end = size - TRAILER_BYTES, at = start;
  if (memcmp(trailer, trailer_magic, sizeof trailer_magic) != 0 || start > end) return;
  uLong sum = crc32(0, NULL, 0);
  bool good = true;
  file->committed = start;
  for (uint64_t k = 0; k < count && good; k++) good = load_entry(file, &at, end, &sum);
  good = good && at == end && get_u64(trailer + 32) == crc32(sum, trailer, 32);
  if (!good) file->page_count = 0;
}

/* ---- the callbacks of HDF5 -------------------------------------------------------------------------------------- */

static void release(commit_file *file) {
  thud_context *context = file->status->context;
  if (file->descriptor >= 0) close(file->descriptor);
  thud_free(context, file->pages);
  thud_free(context, file->order);
  thud_free(context, file);
}

static H5FD_t *on_open(const char *name, unsigned flags, hid_t access_list, haddr_t limit) {
  (void)limit;
  thud_commit_status *const *info = H5Pget_driver_info(access_list);
  if (info == NULL) return NULL;
  thud_commit_status *status = *info;
  commit_file *file = THUD_NEW(status->context, commit_file);
  if (file == NULL) {
    status->failed = true;
    return NULL;
  }
  file->status = status;
  file->writable = (flags & H5F_ACC_RDWR) != 0;
  int mode = (file->writable ? O_RDWR : O_RDONLY) | ((flags & H5F_ACC_TRUNC) != 0 ? O_TRUNC : 0);
  file->descriptor = open(name, mode);
  struct stat state;
  if (file->descriptor < 0 || fstat(file->descriptor, &state) != 0) {
    fail(file, errno);
    release(file);
    return NULL;
  }
  file->end_of_file = file->committed = (uint64_t)state.st_size;
  if (!file->writable) load_journal(file, file->end_of_file);
  if (status->failed) {
    release(file);
    return NULL;
  }
  return &file->base;
}

static herr_t on_close(H5FD_t *base) {
  commit_file *file = (commit_file *)base;
  herr_t result = file->writable && !file->status->failed ? commit(file) : 0;
  release(file);
  return result;
}

static herr_t on_query(const H5FD_t *base, unsigned long *flags) {
  (void)base;
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

static haddr_t on_get_eoa(const H5FD_t *base, H5FD_mem_t type) {
  (void)type;
  return ((const commit_file *)base)->end_of_allocation;
}

static herr_t on_set_eoa(H5FD_t *base, H5FD_mem_t type, haddr_t address) {
  (void)type;
  ((commit_file *)base)->end_of_allocation = address;
  return 0;
}

static haddr_t on_get_eof(const H5FD_t *base, H5FD_mem_t type) {
  (void)type;
  return ((const commit_file *)base)->end_of_file;
}

static herr_t on_read(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, void *buffer) {
  (void)type;
  (void)transfer;
  commit_file *file = (commit_file *)base;
  if (address > INT64_MAX || size > INT64_MAX - address) return -1;
  if (!read_at(file->descriptor, address, size, buffer)) return -1;
  overlay_pages(file, address, size, buffer);
  return 0;
}

static herr_t on_write(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                       const void *buffer) {
  (void)type;
  (void)transfer;
  commit_file *file = (commit_file *)base;
  const uint8_t *bytes = buffer;
  if (file->status->failed) return 0;
  if (address > INT64_MAX || size > INT64_MAX - address) return fail(file, EFBIG);
  size_t old = address < file->committed ? (size_t)least(size, file->committed - address) : 0;
  if (old > 0 && change_pages(file, address, old, bytes) < 0) return -1;
  if (!write_at(file->descriptor, address + old, size - old, bytes + old)) return fail(file, errno);
  if (address + size > file->end_of_file) file->end_of_file = address + size;
  return 0;
}

static herr_t on_flush(H5FD_t *base, hid_t transfer, hbool_t closing) {
  (void)transfer;
  (void)closing;
  commit_file *file = (commit_file *)base;
  return file->writable && !file->status->failed ? commit(file) : 0;
}

static const H5FD_class_t driver_class = {
    .name = "thud_commit",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(thud_commit_status *),
    .open = on_open,
    .close = on_close,
    .query = on_query,
    .get_eoa = on_get_eoa,
    .set_eoa = on_set_eoa,
    .get_eof = on_get_eof,
    .read = on_read,
    .write = on_write,
    .flush = on_flush,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

herr_t thud_commit_select(hid_t access_list, thud_commit_status *status) {
  hid_t driver = H5FDregister(&driver_class);
  if (driver < 0) return -1;
  status->driver = driver;
  return H5Pset_driver(access_list, driver, &status);
}

void thud_commit_release(thud_commit_status *status) {
  if (status->driver > 0) H5FDunregister(status->driver);
  status->driver = 0;
}
