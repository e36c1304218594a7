// Fourier transforms along one dimension: lines are loaded into planes (see fft.h), transformed and stored.
// As many lines as a vector has lanes are transformed together, where there are that many; long dense lines
// alone. A real line of even length is transformed as a complex one of half the length, whose halves are
// combined afterwards.
#include <ATen/Dispatch.h>
#include <ATen/Parallel.h>
#include <ATen/TensorIterator.h>
#include <ATen/core/TensorBase.h>
#include <ATen/native/cpu/fft/fft.h>
#include <ATen/native/cpu/transpose.h>
#include <ATen/native/fft/job.h>
#include <ATen/native/fft/stubs.h>
#include <c10/core/CPUAllocator.h>
#include <c10/util/complex.h>

#include <algorithm>

namespace at::native {
inline namespace CPU_CAPABILITY {
namespace {

// ---- lines and planes

template <class T, bool to_planes>
C10_ALWAYS_INLINE void move_line(Planes<T> planes, T* line, const FftLineLayout& layout, int64_t lanes,
                                 T scale) {
  const auto move = [&](T* plane, int64_t step) {
    T* at = line + (plane == planes.im ? layout.imaginary : 0);
#pragma GCC ivdep
    for (int64_t j = 0; j < layout.points; ++j) {
      if constexpr (to_planes) {
        plane[j * lanes] = at[j * step];
      } else {
        at[j * step] = plane[j * lanes] * scale;
      }
    }
  };
  if (layout.step == 2 && layout.imaginary == 1) {
#pragma GCC ivdep
    for (int64_t j = 0; j < layout.points; ++j) {
      if constexpr (to_planes) {
        planes.re[j * lanes] = line[2 * j];
        planes.im[j * lanes] = line[2 * j + 1];
      } else {
        line[2 * j] = planes.re[j * lanes] * scale;
        line[2 * j + 1] = planes.im[j * lanes] * scale;
      }
    }
    return;
  }
  move(planes.re, layout.step);
  if (!layout.is_real()) move(planes.im, layout.step);
}

// Lanes that are contiguous in memory: rows of points are moved. `step` is the distance of lanes.
template <class T, bool to_planes, int64_t step>
void move_rows(Planes<T> planes, T* lines, const FftLineLayout& layout, int64_t lanes, T scale) {
  for (int64_t j = 0; j < layout.points; ++j) {
    T *re = planes.re + j * lanes, *im = planes.im + j * lanes, *at = lines + j * layout.step;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      if constexpr (to_planes) {
        re[lane] = at[step * lane];
        if (!layout.is_real()) im[lane] = at[step * lane + layout.imaginary];
      } else {
        at[step * lane] = re[lane] * scale;
        if (!layout.is_real()) at[step * lane + layout.imaginary] = im[lane] * scale;
      }
    }
  }
}

// Dense lines of complex points, as many as a vector has lanes: squares of them are transposed. The last
// square of a line overlaps the one before. Lanes beyond `used` are zeros.
template <class T, bool to_planes>
void move_squares(Planes<T> planes, T* base, const int64_t* offsets, int64_t used, int64_t points, T scale) {
  constexpr int n = lanes<T>;
  T* const plane[2] = {planes.re, planes.im};
  for (int64_t next = 0; next < 2 * points; next += n) {
    const int64_t first = std::min(next, 2 * points - n);  // even, so that parts alternate as they do here
    Vec<T> line[n];
    if constexpr (to_planes) {
      for (int i = 0; i < n; ++i) line[i] = i < used ? load(base + offsets[i] + first) : Vec<T>{};
    } else {
#pragma GCC unroll 16
      for (int i = 0; i < n; ++i) line[i] = load(plane[i % 2] + (first + i) / 2 * n) * scale;
    }
    transpose_lines<T>(line);
    if constexpr (to_planes) {
#pragma GCC unroll 16
      for (int i = 0; i < n; ++i) store(plane[i % 2] + (first + i) / 2 * n, line[i]);
    } else {
      for (int i = 0; i < used; ++i) store(base + offsets[i] + first, line[i]);
    }
  }
}

template <class T, bool to_planes>
void move_lines(Planes<T> planes, T* base, const int64_t* offsets, int64_t used, const FftLineLayout& layout,
                int64_t lanes, T scale) {
  bool in_a_row = used == lanes && lanes > 1;
  const int64_t distance = in_a_row ? offsets[1] - offsets[0] : 0;
  for (int64_t lane = 1; in_a_row && lane < lanes; ++lane) {
    in_a_row = offsets[lane] - offsets[lane - 1] == distance;
  }
  if (in_a_row && distance == 1) {
    return move_rows<T, to_planes, 1>(planes, base + offsets[0], layout, lanes, scale);
  }
  if (in_a_row && distance == 2) {
    return move_rows<T, to_planes, 2>(planes, base + offsets[0], layout, lanes, scale);
  }
  if (lanes == native::lanes<T> && layout.step == 2 && layout.imaginary == 1 && 2 * layout.points >= lanes) {
    return move_squares<T, to_planes>(planes, base, offsets, used, layout.points, scale);
  }
  for (int64_t lane = 0; lane < used; ++lane) {
    const Planes<T> own{planes.re + lane, planes.im + lane};
    move_line<T, to_planes>(own, base + offsets[lane], layout, lanes, scale);
  }
}

// ---- real lines

template <class T, bool backward>
void join_halves(Planes<T> x, const FftPlan<T>& plan, int64_t lanes) {
  const int64_t n = plan.n;
  const T *re = plan.halves.re.data(), *im = plan.halves.im.data();
  // The first and the last point of a real line's transform are treated as real, whatever is given.
  for (int64_t lane = 0; lane < lanes; ++lane) {
    const int64_t high = n * lanes + lane;
    fft::join_points<backward>(x.re, x.im, lane, high, backward ? high : lane, T(1), T(0), backward);
  }
  if (lanes == 1) {
#pragma GCC ivdep
    for (int64_t k = 1; k <= n / 2; ++k) {
      fft::join_points<backward>(x.re, x.im, k, n - k, n - k, re[k], im[k], false);
    }
    return;
  }
  for (int64_t k = 1; k <= n / 2; ++k) {
    const int64_t low = k * lanes, high = (n - k) * lanes;
#pragma GCC ivdep
    for (int64_t lane = 0; lane < lanes; ++lane) {
      fft::join_points<backward>(x.re, x.im, low + lane, high + lane, high + lane, re[k], im[k], false);
    }
  }
}

// The second half of a Hermitian line of odd length.
template <class T>
void mirror_rows(Planes<T> x, int64_t n, int64_t lanes) {
  std::fill_n(x.im, lanes, T(0));
  for (int64_t k = 1; k <= n / 2; ++k) {
    for (int64_t lane = 0; lane < lanes; ++lane) {
      x.re[(n - k) * lanes + lane] = x.re[k * lanes + lane];
      x.im[(n - k) * lanes + lane] = -x.im[k * lanes + lane];
    }
  }
}

template <class T>
void store_followers(const FftJob<T>& job, T* line) {
  const int64_t n = job.out_line.points + job.followers;
  for (int64_t k = job.out_line.points; k < n; ++k) {
    const T* from = line + (n - k) * job.out_line.step;
    T* to = line + k * job.out_line.step;
    to[0] = from[0];
    to[1] = -from[1];
  }
}

// ---- all lines

template <class T>
void line_offsets(const FftJob<T>& job, int64_t line, int64_t& in, int64_t& out) {
  in = out = 0;
  for (size_t d = 0; d < job.sizes.size(); ++d) {
    const int64_t coordinate = line % job.sizes[d];
    line /= job.sizes[d];
    in += coordinate * job.in_strides[d];
    out += coordinate * job.out_strides[d];
  }
}

template <class T>
void run_block(const FftJob<T>& job, int64_t lanes_wanted, int64_t block, Planes<T> x, Planes<T> other) {
  constexpr int64_t most_lanes = lanes<T>;
  int64_t in[most_lanes], out[most_lanes];
  const int64_t first = block * lanes_wanted, used = std::min(lanes_wanted, job.lines - first);
  line_offsets(job, first, in[0], out[0]);
  const bool neighbours = used > 1 && first % job.sizes[0] + used <= job.sizes[0];
  for (int64_t lane = 1; lane < used; ++lane) {
    if (neighbours) {
      in[lane] = in[lane - 1] + job.in_strides[0];
      out[lane] = out[lane - 1] + job.out_strides[0];
    } else {
      line_offsets(job, first + lane, in[lane], out[lane]);
    }
  }
  const int64_t width = used == 1 ? 1 : lanes_wanted;
  if (used < width || job.in_line.is_real()) {
    std::fill_n(x.re, job.in_line.points * width, T(0));
    std::fill_n(x.im, job.in_line.points * width, T(0));
  }
  move_lines<T, true>(x, const_cast<T*>(job.in), in, used, job.in_line, width, T(1));
  if (job.kind == FftKind::JoinedBefore) join_halves<T, true>(x, *job.plan, width);
  if (job.kind == FftKind::Mirrored) mirror_rows(x, job.plan->n, width);
  Planes<T> done = job.forward ? run_fft(*job.plan, x, other, width)
                               : run_fft(*job.plan, x.swapped(), other.swapped(), width).swapped();
  if (job.kind == FftKind::JoinedAfter) join_halves<T, false>(done, *job.plan, width);
  move_lines<T, false>(done, job.out, out, used, job.out_line, width, job.scale);
  for (int64_t lane = 0; job.followers != 0 && lane < used; ++lane) store_followers(job, job.out + out[lane]);
}

// Strided lines are worth interleaving, and short ones; long dense ones only as long as they stay in cache
// and nearly fill the lanes.
template <class T>
int64_t choose_lanes(const FftJob<T>& job) {
  const bool filled = 2 * at::divup(job.lines, lanes<T>) * lanes<T> <= 3 * job.lines;
  const int64_t shortest_alone = filled ? 4096 : 64;
  const bool alone = job.in_line.step <= 2 && job.in_line.points >= shortest_alone && job.plan->n % 4 == 0 &&
                     !job.plan->padded;
  return alone || job.lines < lanes<T> / 2 || job.lines < 2 ? 1 : lanes<T>;
}

template <class T>
void run_job(const FftJob<T>& job) {
  const int64_t side_by_side = choose_lanes(job), buffer_size = job.rows() * side_by_side;
  const int64_t plane = (buffer_size + 15) / 16 * 16 + 80;  // 80: planes aren't powers of two apart
  const int64_t blocks = at::divup(job.lines, side_by_side);
  const int64_t grain = std::max<int64_t>(internal::GRAIN_SIZE / (16 * buffer_size), 1);
  at::parallel_for(0, blocks, grain, [&](int64_t begin, int64_t end) {
    const auto memory = c10::GetCPUAllocator()->allocate(4 * plane * sizeof(T));
    T* p = static_cast<T*>(memory.get());
    for (int64_t block = begin; block < end; ++block) {
      run_block(job, side_by_side, block, {p, p + plane}, {p + 2 * plane, p + 3 * plane});
    }
  });
}

// ---- kernels

void fft_c2c_kernel(const TensorBase& out, const TensorBase& in, int64_t dim, bool forward, double scale) {
  AT_DISPATCH_COMPLEX_TYPES(in.scalar_type(), "fft", [&] {
    run_job(fft_c2c_job<scalar_t::value_type>(out, in, dim, forward, scale));
  });
}

void fft_r2c_kernel(const TensorBase& out, const TensorBase& in, int64_t dim, double scale) {
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "fft",
                             [&] { run_job(fft_r2c_job<scalar_t>(out, in, dim, scale)); });
}

void fft_c2r_kernel(const TensorBase& out, const TensorBase& in, int64_t dim, double scale) {
  AT_DISPATCH_FLOATING_TYPES(out.scalar_type(), "fft",
                             [&] { run_job(fft_c2r_job<scalar_t>(out, in, dim, scale)); });
}

}  // namespace
}  // namespace CPU_CAPABILITY

REGISTER_DISPATCH(fft_c2c_stub, &fft_c2c_kernel)
REGISTER_DISPATCH(fft_r2c_stub, &fft_r2c_kernel)
REGISTER_DISPATCH(fft_c2r_stub, &fft_c2r_kernel)

}  // namespace at::native
