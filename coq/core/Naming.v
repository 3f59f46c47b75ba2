(** * REWRITING and CUT: a table may stand for a closed query *)
From Tallystick.core Require Export Core.

Definition with_table (w : world) (t : string) (l : list row) : world :=
  {| tables := fun u => if String.eqb u t then l else tables w u; functions := functions w; of_bags := of_bags w; ties := ties w |}.

Definition call_of (w : world) (rs group : list row) (c : function * bool * expression * list expression) : value :=
  match c with (f, distinct, condition, arguments) =>
    let of := map (fun r => map (value_of w (r :: rs)) arguments) (filter (fun r => is_true (value_of w (r :: rs) condition)) group) in
    summary w f (if distinct then nodup row_eq_dec of else of) end.
Definition grouped (w : world) (rs : list row) (es : list expression) (cs : list (function * bool * expression * list expression)) (all : list row) : list row :=
  let key r := map (value_of w (r :: rs)) es in match es with
    | [] => [map (call_of w rs all) cs]
    | _ => map (fun k => k ++ map (call_of w rs (filter (fun r => same_row (key r) k) all)) cs) (nodup row_eq_dec (map key all)) end.
Lemma answer_aggregate w rs es cs q : answer w rs (Aggregate es cs q) = grouped w rs es cs (answer w rs q).
Proof. reflexivity. Qed.

Section Put.
  Variables (t : string) (q0 : query).
  (** The query in the place of each scan of the table. *)
  Fixpoint pe (x : expression) : expression := match x with
    | Column _ _ | Constant _ => x
    | Plus a b => Plus (pe a) (pe b) | Times a b => Times (pe a) (pe b) | Quotient r a b => Quotient r (pe a) (pe b)
    | Call n k s es => Call n k s (map pe es) | Compare c a b => Compare c (pe a) (pe b)
    | Both a b => Both (pe a) (pe b) | Either a b => Either (pe a) (pe b) | Negated a => Negated (pe a) | IsNull a => IsNull (pe a)
    | When c a b => When (pe c) (pe a) (pe b) | Exists q => Exists (pq q) | TheValue q => TheValue (pq q) end
  with pq (q : query) : query := match q with
    | Scan u => if String.eqb u t then q0 else q | Values _ => q
    | Filter c q => Filter (pe c) (pq q) | Project es q => Project (map pe es) (pq q)
    | Join c p q => Join (pe c) (pq p) (pq q) | LeftJoin n c p q => LeftJoin n (pe c) (pq p) (pq q)
    | UnionAll p q => UnionAll (pq p) (pq q) | Distinct q => Distinct (pq q)
    | Aggregate es cs q => Aggregate (map pe es) (map (fun c => match c with (f, d, c, a) => (f, d, pe c, map pe a) end) cs) (pq q)
    | Numbered g ps os q => Numbered g (map pe ps) (map (fun o => (pe (fst o), snd o)) os) (pq q) end.
  Variable w : world.
  Hypothesis closed : forall rs, answer w rs q0 = answer w [] q0.
  Let w' := with_table w t (answer w [] q0).
  Lemma flat_map_eq {A B} (f g : A -> list B) l : (forall x, f x = g x) -> flat_map f l = flat_map g l.
  Proof. intros H. induction l; cbn; congruence. Qed.
  Lemma pe_ok (x : expression) : forall rs, value_of w rs (pe x) = value_of w' rs x
  with pq_ok (q : query) : forall rs, answer w rs (pq q) = answer w' rs q.
  Proof.
    - assert (ES : forall es rs, (forall x, In x es -> forall rs, value_of w rs (pe x) = value_of w' rs x) -> map (value_of w rs) (map pe es) = map (value_of w' rs) es).
      { clear. intros es rs H. rewrite map_map. apply map_ext_in. intros x X. now apply H. }
      intros rs. destruct x as [i j|v|a b|a b|r a b|n k s es|c a b|a b|a b|a|a|c a b|q|q]; cbn [pe value_of]; try reflexivity; try (now rewrite !pe_ok); try (now rewrite pq_ok).
      replace (map (value_of w rs) (map pe es)) with (map (value_of w' rs) es); [reflexivity|].
      clear ES. induction es as [|x es IH]; cbn [map]; [reflexivity|]. now rewrite pe_ok, IH.
    - intros rs.
      destruct q as [u|vs|c q|es q|c p q|n c p q|p q|q|es cs q|g ps os q]; cbn [pq].
      + cbn [answer]. unfold w' at 1. cbn [with_table tables]. destruct (String.eqb u t); [apply closed|reflexivity].
      + reflexivity.
      + cbn [answer]. rewrite pq_ok. apply filter_ext. intros r. now rewrite pe_ok.
      + cbn [answer]. rewrite pq_ok. apply map_ext. intros r. clear -pe_ok. induction es as [|x es IH]; cbn [map]; [reflexivity|]. now rewrite pe_ok, IH.
      + cbn [answer]. rewrite pq_ok. apply flat_map_eq. intros l. rewrite pq_ok. apply filter_ext. intros r. now rewrite pe_ok.
      + cbn [answer]. rewrite pq_ok. apply flat_map_eq. intros l. rewrite pq_ok. rewrite (filter_ext _ (fun r => is_true (value_of w' (r :: rs) c))) by (intros r; now rewrite pe_ok). reflexivity.
      + cbn [answer]. now rewrite !pq_ok.
      + cbn [answer]. now rewrite pq_ok.
      + rewrite !answer_aggregate, pq_ok. set (all := answer w' rs q). clearbody all.
        assert (KEYS : forall r : row, map (value_of w (r :: rs)) (map pe es) = map (value_of w' (r :: rs)) es).
        { intros r. clear -pe_ok. induction es as [|x es IH]; cbn [map]; [reflexivity|]. now rewrite pe_ok, IH. }
        assert (CALLS : forall group, map (call_of w rs group) (map (fun c => match c with (f, d, c, a) => (f, d, pe c, map pe a) end) cs) = map (call_of w' rs group) cs).
        { intros group. clear -pe_ok. induction cs as [|[[[f d] c] a] cs IH]; cbn [map]; [reflexivity|]. rewrite IH. f_equal. clear IH. unfold call_of.
          replace (map (fun r : row => map (value_of w (r :: rs)) (map pe a)) (filter (fun r => is_true (value_of w (r :: rs) (pe c))) group))
            with (map (fun r : row => map (value_of w' (r :: rs)) a) (filter (fun r => is_true (value_of w' (r :: rs) c)) group)); [destruct f; reflexivity|].
          rewrite (filter_ext (fun r : row => is_true (value_of w (r :: rs) (pe c))) (fun r => is_true (value_of w' (r :: rs) c))) by (intros r; now rewrite pe_ok). apply map_ext. intros r.
          clear -pe_ok. induction a as [|x es IH]; cbn [map]; [reflexivity|]. now rewrite pe_ok, IH. }
        unfold grouped. cbv zeta. rewrite (map_ext _ _ KEYS). destruct es as [|x es]; [cbn [map]; now rewrite CALLS|]. change (map pe (x :: es)) with (pe x :: map pe es). cbv iota.
        change (pe x :: map pe es) with (map pe (x :: es)). apply map_ext. intros k. f_equal. rewrite CALLS. do 2 f_equal. apply filter_ext. intros r. now rewrite KEYS.
      + cbn [answer]. rewrite !map_length, pq_ok, map_map. cbn [snd]. change (ties w' g) with (ties w g). f_equal. f_equal. apply map_ext. intros r. f_equal. f_equal.
        * clear -pe_ok. induction ps as [|x es IH]; cbn [map]; [reflexivity|]. now rewrite pe_ok, IH.
        * rewrite map_map. cbn [fst]. clear -pe_ok. induction os as [|[x u] es IH]; cbn [map fst]; [reflexivity|]. now rewrite pe_ok, IH.
  Qed.
End Put.

(** What holds of all rows of a table holds of those of a query that has its columns and constraints. *)
Theorem cut s cs s' cs' t q0 p q : (forall w rs, answer w rs q0 = answer w [] q0) -> (forall w, admitted s cs w -> admitted s' cs' (with_table w t (answer w [] q0))) ->
  same_answers_under s' cs' p q -> same_answers_under s cs (pq t q0 p) (pq t q0 q).
Proof. intros C A S w W. rewrite !pq_ok by apply C. now apply S, A. Qed.
