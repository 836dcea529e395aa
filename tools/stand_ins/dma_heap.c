/* Memory that cameras share with the processor, without a kernel that has any: loaded before a program (LD_PRELOAD), it
 * answers for /dev/dma_heap/system, and for /dev/udmabuf, where libcamera and picamera2 ask for theirs.
 *
 * $DMA_BUFFERS_LEFT names a file with a number: so many more are given out, then the heap has no room (ENOMEM).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
static const char *HEAPS[] = {"/dev/dma_heap/system", "/dev/dma_heap/linux,cma", "/dev/dma_heap/vidbuf_cached"};

static int is_heap(const char *path) {
    for (size_t i = 0; path && i < sizeof HEAPS / sizeof *HEAPS; i++)
        if (!strcmp(path, HEAPS[i])) return 1;
    return 0;
}

/* A heap is a memory file of its own name, by which it is known again. */
static int heap(void) { return memfd_create("dma heap", MFD_CLOEXEC); }

static int named(int fd, const char *name) {
    char link[64], target[128] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    return readlink(link, target, sizeof target - 1) > 0 && strstr(target, name) != NULL;
}

#define MODE va_list rest; va_start(rest, flags); mode_t mode = va_arg(rest, mode_t); va_end(rest)
int open(const char *path, int flags, ...) {
    MODE;
    return is_heap(path) ? heap() : REAL(open)(path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    MODE;
    return is_heap(path) ? heap() : REAL(open64)(path, flags, mode);
}
int openat(int at, const char *path, int flags, ...) {
    MODE;
    return is_heap(path) ? heap() : REAL(openat)(at, path, flags, mode);
}
int openat64(int at, const char *path, int flags, ...) {
    MODE;
    return is_heap(path) ? heap() : REAL(openat64)(at, path, flags, mode);
}

/* One less; 0 where there was none left. */
static int take_one(void) {
    const char *path = getenv("DMA_BUFFERS_LEFT");
    FILE *file = path ? fopen(path, "r+") : NULL;
    int left = 0;
    if (!file) return 1;
    int known = fscanf(file, "%d", &left) == 1;
    if (known && left > 0) {
        rewind(file);
        fprintf(file, "%-8d", left - 1);
    }
    fclose(file);
    return !known || left > 0;
}

int ioctl(int fd, unsigned long what, ...) {
    va_list rest;
    va_start(rest, what);
    void *given = va_arg(rest, void *);
    va_end(rest);
    if (what == DMA_HEAP_IOCTL_ALLOC && named(fd, "dma heap")) {
        struct dma_heap_allocation_data *wish = given;
        if (!take_one()) {
            errno = ENOMEM;
            return -1;
        }
        int memory = memfd_create("dma buffer", MFD_CLOEXEC);
        if (memory < 0 || ftruncate(memory, wish->len)) return -1;
        wish->fd = memory;
        return 0;
    }
    if ((_IOC_TYPE(what) == DMA_BUF_BASE) && named(fd, "dma buffer")) return 0; /* Sync, name: nothing is to be done. */
    return REAL(ioctl)(fd, what, given);
}
