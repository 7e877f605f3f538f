// HDF5 file driver for results. It differs from HDF5's own in what happens when the disk is full: HDF5 1.10 then cannot
// close the file any more and crashes at exit. This one remembers the first failing write and keeps all later ones from
// the file, in memory. SWMR orders its writes so that every prefix of them is a readable file, so the rows of the last
// flush survive.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "io/new_file.h"
#include "io/result.h"

typedef struct driver_info {
    int *error;
    bool existing; // the file is there, made by this run
} driver_info;     // kept by value in the access property list

// What did not get into the file any more. HDF5 may want to read it again before it can close.
typedef struct lost {
    haddr_t        at;
    size_t         size;
    unsigned char *bytes;
} lost;

typedef struct driver_file {
    H5FD_t  base; // must be first
    int     fd;
    int    *error;
    haddr_t eoa, eof; // end of the allocated addresses, end of what was written
    haddr_t read_at;  // of the last read, and how often it came
    size_t  read_size;
    int     read_again;
    int     lost_count, lost_capacity;
    lost   *lost; // in the order they came
    dev_t   device;
    ino_t   inode;
} driver_file;

static const haddr_t max_address = ((haddr_t)1 << (8 * sizeof(off_t) - 1)) - 1;

static int open_existing(const char *name, struct stat *status, int *error)
{
    int fd = open(name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    *error = fd < 0 || fstat(fd, status) != 0 ? errno : 0;
    if (fd >= 0 && *error != 0)
        close(fd);
    return *error == 0 ? fd : -1;
}

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t max)
{
    (void)max;
    const driver_info *info = H5Pget_driver_info(access);
    if (info == NULL || (!info->existing && !(flags & H5F_ACC_CREAT)))
        return NULL; // HDF5 first asks whether the file is open already; it is not, it will be new
    driver_file *file = calloc(1, sizeof *file);
    struct stat  status;
    if (file == NULL)
        return NULL;
    file->error = info->error;
    file->fd =
        info->existing ? open_existing(name, &status, file->error) : zn_new_file_create(name, &status, file->error);
    if (file->fd < 0) {
        free(file);
        return NULL;
    }
    file->eof = (haddr_t)status.st_size;
    file->device = status.st_dev;
    file->inode = status.st_ino;
    return &file->base;
}

// Somebody else cut the file short: what is written from now on would be the end of a file without a middle. Or removed
// it, or put another in its place: nobody would ever see what is written, and the other one would get the name of the
// result.
static bool is_cut(driver_file *file)
{
    struct stat status;
    if (*file->error == 0 && fstat(file->fd, &status) == 0 &&
        ((haddr_t)status.st_size < file->eof || status.st_nlink == 0))
        *file->error = status.st_nlink == 0 ? EIDRM : ESTALE;
    return *file->error == ESTALE || *file->error == EIDRM;
}

static herr_t driver_close(H5FD_t *base)
{
    driver_file *file = (driver_file *)base;
    is_cut(file);
    if (*file->error == 0 && fsync(file->fd) != 0 && errno != EINVAL && errno != ENOSYS)
        *file->error = errno;
    if (close(file->fd) != 0 && *file->error == 0)
        *file->error = errno;
    for (int i = 0; i < file->lost_count; i++)
        free(file->lost[i].bytes);
    free(file->lost);
    free(file);
    return 0;
}

static int driver_compare(const H5FD_t *base1, const H5FD_t *base2)
{
    const driver_file *a = (const driver_file *)base1, *b = (const driver_file *)base2;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    return a->inode == b->inode ? 0 : a->inode < b->inode ? -1 : 1;
}

static herr_t driver_query(const H5FD_t *base, unsigned long *flags)
{
    (void)base;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t driver_get_eoa(const H5FD_t *base, H5FD_mem_t type)
{
    (void)type;
    return ((const driver_file *)base)->eoa;
}

static herr_t driver_set_eoa(H5FD_t *base, H5FD_mem_t type, haddr_t address)
{
    (void)type;
    ((driver_file *)base)->eoa = address;
    return 0;
}

static haddr_t driver_get_eof(const H5FD_t *base, H5FD_mem_t type)
{
    (void)type;
    return ((const driver_file *)base)->eof;
}

// HDF5 reads what is damaged again, a hundred times, and waits twice as long each time: for ever.
static bool is_read_in_vain(driver_file *file, haddr_t address, size_t size)
{
    enum { MOST = 20 };
    file->read_again = address == file->read_at && size == file->read_size ? file->read_again + 1 : 0;
    file->read_at = address;
    file->read_size = size;
    return file->read_again > MOST;
}

static void keep_lost(driver_file *file, haddr_t address, size_t size, const unsigned char *bytes)
{
    lost piece = {address, size, malloc(size)};
    if (piece.bytes != NULL)
        memcpy(piece.bytes, bytes, size);
    if (piece.bytes == NULL || ZN_PUSH(file->lost, file->lost_count, file->lost_capacity, piece) != ZN_OK)
        free(piece.bytes);
}

static void put_lost(const driver_file *file, haddr_t address, size_t size, unsigned char *to)
{
    for (int i = 0; i < file->lost_count; i++) {
        const lost *p = &file->lost[i];
        haddr_t     from = p->at > address ? p->at : address;
        haddr_t     end = p->at + p->size < address + size ? p->at + p->size : address + size;
        if (from < end)
            memcpy(to + (from - address), p->bytes + (from - p->at), (size_t)(end - from));
    }
}

// All bytes; beyond the end zeros, as HDF5 expects.
static bool read_bytes(const driver_file *file, haddr_t address, size_t size, unsigned char *at)
{
    while (size > 0) {
        ssize_t got = pread(file->fd, at, size, (off_t)address);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        if (got == 0) {
            memset(at, 0, size);
            return true;
        }
        at += got;
        address += (haddr_t)got;
        size -= (size_t)got;
    }
    return true;
}

static herr_t driver_read(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, void *buffer)
{
    (void)type, (void)transfer;
    driver_file *file = (driver_file *)base;
    is_cut(file); // which is told, but HDF5 must be able to close the file: one that it cannot close crashes at exit
    if (is_read_in_vain(file, address, size) || !read_bytes(file, address, size, buffer))
        return -1;
    put_lost(file, address, size, buffer);
    return 0;
}

static herr_t driver_write(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                           const void *buffer)
{
    (void)type, (void)transfer;
    driver_file         *file = (driver_file *)base;
    const unsigned char *at = buffer;
    file->read_again = 0;
    is_cut(file); // nothing is written then
    while (size > 0 && *file->error == 0) {
        ssize_t put = pwrite(file->fd, at, size, (off_t)address);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0) {
            *file->error = put < 0 ? errno : ENOSPC;
            break;
        }
        at += put;
        address += (haddr_t)put;
        size -= (size_t)put;
    }
    if (size > 0)
        keep_lost(file, address, size, at);
    if (address + size > file->eof)
        file->eof = address + size;
    return 0;
}

static herr_t driver_truncate(H5FD_t *base, hid_t transfer, hbool_t closing)
{
    (void)transfer, (void)closing;
    driver_file *file = (driver_file *)base;
    if (file->eoa == file->eof)
        return 0;
    if (*file->error == 0 && ftruncate(file->fd, (off_t)file->eoa) != 0)
        *file->error = errno;
    file->eof = file->eoa;
    return 0;
}

// The lock is taken at the opening. HDF5 marks a file as open for writing only when its driver can lock.
static herr_t driver_lock(H5FD_t *base, hbool_t write)
{
    (void)base, (void)write;
    return 0;
}

static herr_t driver_unlock(H5FD_t *base)
{
    (void)base;
    return 0;
}

static H5FD_class_t driver_class(void)
{
    return (H5FD_class_t){
        .name = "zeno_result",
        .maxaddr = max_address,
        .fc_degree = H5F_CLOSE_WEAK,
        .fapl_size = sizeof(driver_info),
        .open = driver_open,
        .close = driver_close,
        .cmp = driver_compare,
        .query = driver_query,
        .get_eoa = driver_get_eoa,
        .set_eoa = driver_set_eoa,
        .get_eof = driver_get_eof,
        .read = driver_read,
        .write = driver_write,
        .truncate = driver_truncate,
        .lock = driver_lock,
        .unlock = driver_unlock,
        .fl_map = H5FD_FLMAP_DICHOTOMY,
    };
}

// Linux ends a write between two pages when the process is killed. What HDF5 keeps of the structure (with a checksum)
// is therefore laid out so that it does not cross them, and is in the file whole or not at all.
// Files for readers of old HDF5 are not: they are written in one go.
static hid_t in_pages(H5F_libver_t oldest)
{
    enum { PAGE = 4096 };
    hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    if (creation >= 0 && oldest == H5F_LIBVER_EARLIEST)
        return creation;
    if (creation >= 0 && H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_PAGE, false, 1) >= 0 &&
        H5Pset_file_space_page_size(creation, PAGE) >= 0)
        return creation;
    if (creation >= 0)
        H5Pclose(creation);
    return H5I_INVALID_HID;
}

static hid_t open_with(const char *path, H5F_libver_t oldest, bool existing, int *error)
{
    H5FD_class_t class = driver_class(); // copied by HDF5
    driver_info info = {.error = error, .existing = existing};
    hid_t       driver = H5FDregister(&class);
    hid_t       access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t       creation = in_pages(oldest);
    hid_t       file = H5I_INVALID_HID;
    *error = 0;
    if (driver >= 0 && access >= 0 && creation >= 0 && H5Pset_driver(access, driver, &info) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
        H5Pset_libver_bounds(access, oldest, H5F_LIBVER_LATEST) >= 0)
        file = existing ? H5Fopen(path, H5F_ACC_RDWR, access) : H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
    if (access >= 0)
        H5Pclose(access);
    if (creation >= 0)
        H5Pclose(creation);
    if (driver >= 0 && file < 0)
        H5FDunregister(driver);
    return file;
}

hid_t zn_result_file_create(const char *path, H5F_libver_t oldest, int *error)
{
    return open_with(path, oldest, false, error);
}

hid_t zn_result_file_open(const char *path, int *error) { return open_with(path, H5F_LIBVER_EARLIEST, true, error); }

// The driver goes after the file: HDF5 drops the file's own reference to it before it calls its function `close`.
herr_t zn_result_file_close(hid_t file)
{
    hid_t  access = H5Fget_access_plist(file);
    hid_t  driver = access >= 0 ? H5Pget_driver(access) : H5I_INVALID_HID;
    herr_t closed = H5Fclose(file);
    if (access >= 0)
        H5Pclose(access);
    if (driver >= 0)
        H5FDunregister(driver);
    return closed;
}

bool zn_result_file_is_busy(const char *path)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int          fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool         busy = fd >= 0 && fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    if (fd >= 0)
        close(fd);
    return busy;
}
